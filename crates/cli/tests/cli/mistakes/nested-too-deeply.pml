#define A ((((((((((
#define B A A A A A A A A A A
#define C B B B B B B B B B B
byte x;
active proctype P() {
  x = C 1
}
