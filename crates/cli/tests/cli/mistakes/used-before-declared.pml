active proctype P() {
  x = 1;
  y = 2
}
byte x;
active proctype Q() {
  x = 3
}
