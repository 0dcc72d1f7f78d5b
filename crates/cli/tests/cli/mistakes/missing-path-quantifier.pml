byte x;
active proctype P() {
  x = 1
}
ctl done { F (x == 1) }
