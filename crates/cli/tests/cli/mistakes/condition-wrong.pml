#if
#endif
#if 1 +
#endif
#if defined
#endif
#if 1 / 0
#endif
active proctype P() {
  skip
}
