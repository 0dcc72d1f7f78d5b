byte x;
#endif
active proctype P() {
  x = 1
}
