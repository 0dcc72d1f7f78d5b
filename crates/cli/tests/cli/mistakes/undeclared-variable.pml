byte count;
active proctype P() {
  conut = 1;
  total = count
}
