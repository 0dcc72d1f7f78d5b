proctype P(byte a = 1) {
  assert(a == 1)
}
init {
  run P(1)
}
