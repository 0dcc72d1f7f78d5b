typedef Point { byte x; byte y };
active proctype Worker() {
  Point p;
  byte a[2];
  p.x = 1;
  a[0] = 1
}
active proctype P() {
  assert(Worker[0]:p.x == 0);
  assert(Worker[0]:a == 0)
}
