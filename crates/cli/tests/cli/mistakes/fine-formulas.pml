byte x;
bool ready;
active proctype P() {
  do
  :: x = 1; ready = true
  :: x = 2
  od
}
ltl invariant { [] (x < 3) }
ltl response { [] (x == 1 -> <> (x == 2)) }
ltl fair { []<> ready -> []<> (x == 2) }
ltl meant { ([] ready) -> <> (x == 2) }
ltl order { !(x == 2) U ready }
