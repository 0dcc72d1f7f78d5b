active proctype P() {
  skip;
start:
  byte x;
  x = 1
}
