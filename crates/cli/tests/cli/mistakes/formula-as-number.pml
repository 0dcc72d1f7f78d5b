byte x = 1;
active proctype P() {
  x == 1
}
ctl always { AG x == 1 }
