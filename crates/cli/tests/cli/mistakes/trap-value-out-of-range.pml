byte owner = -1;
bit flag;
unsigned small : 3;
chan q = [1] of { byte };
proctype Worker(byte id) {
  flag = id;
  small = 9
}
init {
  flag = 2;
  q!300;
  q?256;
  run Worker(1000);
  assert(owner > 0 && flag < small)
}
