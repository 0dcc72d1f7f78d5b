active proctype P() priority 300 {
  skip
}
