proctype Worker(byte id; byte weight) {
  assert(id < weight)
}
init {
  run Worker(1);
  run Worker(1, 2, 3)
}
