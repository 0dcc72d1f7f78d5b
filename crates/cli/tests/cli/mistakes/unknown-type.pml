typedef Point { byte x; byte y };
Piont p;
active proctype P() {
  p.x = 1
}
