proctype P(byte a[2]) {
  assert(a[0] == 1)
}
init {
  run P(1)
}
