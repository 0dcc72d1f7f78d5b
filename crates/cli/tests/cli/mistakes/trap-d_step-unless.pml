byte x;
active proctype P() {
  d_step {
    x = 1;
    { x = 2 } unless { x == 1 }
  }
}
