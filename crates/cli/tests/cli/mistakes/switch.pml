byte x;
active proctype P() {
  switch (x) {
    skip
  }
}
