typedef Point { byte x; byte y };
typedef Line { Point ends[2] };
chan q = [1] of { Line };
Line l;
active proctype P() {
  q!l;
  q?l
}
