byte x;
active proctype P() {
  printf("%d and %d\n", x);
  printf("x\n", x);
  printf("%s\n", x)
}
