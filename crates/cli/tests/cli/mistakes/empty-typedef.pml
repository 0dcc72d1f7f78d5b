typedef Nothing { };
active proctype P() {
  skip
}
