byte x;
active proctype P() {
  x = 1
}
ltl { [] (x < 2
ltl { <> (x == 1) }
