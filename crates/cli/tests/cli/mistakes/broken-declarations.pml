byte x
byte 2y;
chan q = [] of { byte };
mtype { };
active proctype P() {
  x = 1
}
