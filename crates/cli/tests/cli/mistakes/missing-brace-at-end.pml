byte x;
active proctype P() {
  x = 1
