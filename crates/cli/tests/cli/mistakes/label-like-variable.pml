byte x;
active proctype P() {
x:
  skip
}
