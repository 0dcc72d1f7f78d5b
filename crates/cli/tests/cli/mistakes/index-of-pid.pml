active proctype P() {
  assert(_pid[0] == 0)
}
