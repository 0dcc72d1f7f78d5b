unsigned x;
unsigned y : 40;
byte z : 3;
active proctype P() {
  x = y + z
}
