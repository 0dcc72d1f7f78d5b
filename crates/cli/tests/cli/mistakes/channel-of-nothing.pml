chan q = [1];
chan r = [1] of byte;
active proctype P() {
  q!1
}
