byte x;
active proctype P() {
  atomic {
again:
    x++;
    x++
  };
  goto again
}
