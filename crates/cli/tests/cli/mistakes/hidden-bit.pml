hidden bool flag;
active proctype P() {
  flag = true
}
