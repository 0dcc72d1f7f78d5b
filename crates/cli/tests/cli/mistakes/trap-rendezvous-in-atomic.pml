byte x;
chan q = [0] of { byte };
active proctype P() {
  atomic {
    x = 1;
    q?x;
    assert(x == 2)
  }
}
active proctype Q() {
  q!2
}
