byte x, steps;
active proctype P() {
  byte old;
  old = x;
  x++;
  steps++
}
ltl p { [] (x < 2) }
