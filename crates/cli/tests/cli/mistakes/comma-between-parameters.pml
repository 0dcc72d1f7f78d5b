proctype P(byte a, byte b) {
  assert(a < b)
}
init {
  run P(1, 2)
}
