#defien SIZE 3
byte x;
active proctype P() {
  x = 1
}
