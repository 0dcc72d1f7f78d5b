typedef Message { byte a; byte b };
chan q = [2] of { byte };
active proctype P() {
  Message m;
  q!1;
  for (m in q) {
    skip
  }
}
