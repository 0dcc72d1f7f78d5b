chan q = [1] of { unsigned };
active proctype P() {
  q!1;
  q?_
}
