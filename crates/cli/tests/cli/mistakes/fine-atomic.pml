byte x;
chan q = [0] of { byte };
chan r = [2] of { byte };
active proctype P() {
  do
  :: atomic { x == 0; q?x }
  :: atomic { q?x; x = 0 }
  :: atomic { r?x -> x = 0; q!1 }
  :: d_step { x > 3 -> x = 0; if :: x == 0 -> x = 1 :: else fi }
  od
}
active proctype Q() {
  do
  :: q!1
  :: r!2
  :: q?_
  od
}
