byte x;
active proctype P() {
  x = 1
}
ltl initial { x < 2 }
ltl response { [] (x == 1) -> <> (x == 2) }
ltl comparison { [] x < 2 }
ltl next { X (x == 1) }
