byte x;
chan q = [1] of { byte };
active proctype P() {
  q!1;
  d_step {
    x = 1;
    x == 2;
    q?x
  };
  d_step {
    timeout;
    x = 0
  }
}
