byte a[0];
byte b[-1];
byte n;
byte c[n];
byte d[2 / 0];
active proctype P() {
  a[0] = b[0] + c[0] + d[0]
}
