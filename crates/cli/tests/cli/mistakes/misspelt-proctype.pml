byte x;
active proctpye P() {
  x = 1
}
