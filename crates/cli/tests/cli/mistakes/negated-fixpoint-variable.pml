byte x;
active proctype P() {
  x = 1
}
mu odd { mu X . (x == 1 || !<> X) }
