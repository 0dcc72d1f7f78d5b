active proctype P() {
  mtype = { red, green };
  skip
}
