inline increment(v) {
  v++
}
byte x;
active proctype P() {
  incremnt(x);
  compute(x)
}
