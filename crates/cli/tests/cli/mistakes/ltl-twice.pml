byte x;
active proctype P() {
  x = 1
}
ltl p { [] (x < 2) }
ltl p { <> (x == 1) }
