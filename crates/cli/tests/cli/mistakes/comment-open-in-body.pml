byte x;
active proctype P() {
  x = 1; /* set it
  x = 2
}
