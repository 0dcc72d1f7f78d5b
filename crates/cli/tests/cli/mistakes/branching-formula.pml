byte x;
active proctype P() {
  x = 1
}
ctl done { AF (x == 1) }
