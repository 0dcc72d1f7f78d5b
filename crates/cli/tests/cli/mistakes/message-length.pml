chan q = [1] of { byte, byte };
byte x;
active proctype P() {
  q!1;
  q?x, _, _;
  assert(x == 1)
}
