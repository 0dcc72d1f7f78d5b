byte q;
active proctype P() {
  q!1;
  len(q) == 0
}
