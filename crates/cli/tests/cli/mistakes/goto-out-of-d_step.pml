byte x;
active proctype P() {
  d_step {
    x = 1;
    goto done
  };
done:
  skip
}
