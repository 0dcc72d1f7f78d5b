byte x;
/* the process
active proctype P() {
  x = 1
}
