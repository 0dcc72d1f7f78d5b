#define safe (shown < 2)
byte shown, _unused;
hidden byte scratch;
active proctype P() {
  byte i;
  d_step {
    scratch = 0;
    for (i : 1 .. 3) {
      scratch = scratch + i
    }
    shown = scratch;
    scratch = 0
  };
  printf("%d\n", shown)
}
ltl p { <> (P:i == 1) }
