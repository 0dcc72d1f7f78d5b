byte x;
active proctype P() {
  x = 1
}
ltl first { G (x < 2) }
ltl second { F x == 1 }
ltl third { x == 0 and x == 1 }
