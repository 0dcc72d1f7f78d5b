active [6000] proctype P() {
  skip
}

active [6000] proctype Q() {
  skip
}
