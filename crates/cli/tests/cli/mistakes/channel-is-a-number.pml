chan q = [1] of { byte };
chan r;
active proctype P() {
  r = 1;
  r = q + 1;
  q++;
  q!1;
  q?_
}
