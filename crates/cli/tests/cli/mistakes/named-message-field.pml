chan q = [2] of { byte data };
active proctype P() {
  q!1;
  q?_
}
