byte i;
active proctype P() {
  for (i : 0 .. 255) {
    printf("%d\n", i)
  }
}
