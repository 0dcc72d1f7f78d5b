byte len;
active proctype P() {
  byte full;
  full = 1
}
