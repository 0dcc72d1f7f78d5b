chan q = [1] of { byte };
byte x;
active proctype P() {
  q!1;
  q?x;
  assert(x == 1)
}
trace {
  q!1;
  x = 1
}
