byte x;
active proctype P() {
  x = 1
}
ltl { [] !Q@critical }
ltl { [] !P@critical }
ltl { [] y < 2 }
