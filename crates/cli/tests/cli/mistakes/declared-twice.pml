byte x;
int x;
active proctype P() {
  x = 1
}
