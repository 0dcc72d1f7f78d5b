byte count, cuont;
chan q = [1] of { byte };
proctype Worker(byte id) {
  count++
}
init {
  byte result;
  run Worker(1);
  assert(count < 2)
}
