proctype Worker() {
  skip
}
chan q = [1] of { byte };
init {
  byte n = run Worker();
  run Worker() == 3;
  q!run Worker();
  q?n;
  d_step {
    run Worker()
  }
}
