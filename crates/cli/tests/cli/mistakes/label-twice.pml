byte x;
active proctype P() {
again:
  x++;
again:
  x--
}
