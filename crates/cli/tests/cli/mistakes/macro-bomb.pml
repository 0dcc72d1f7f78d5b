#define A x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
#define B A A A A A A A A A A
#define C B B B B B B B B B B
#define D C C C C C C C C C C
#define E D D D D D D D D D D
#define F E E E E E E E E E E E E E E E E E E E E
byte x;
active proctype P() {
  d_step { F skip }
}
