active proctype P() {
  atomic { };
  skip
}
