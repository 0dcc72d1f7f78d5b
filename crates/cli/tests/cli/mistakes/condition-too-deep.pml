#define A ((((((((((((((((((((
#if A A A A A A A A A A A 1
#endif
active proctype P() {
  skip
}
