byte x;
active proctype P() {
again:
  x++;
  gotto again
}
