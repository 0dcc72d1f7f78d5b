#define
#define 3D 1
#define defined 1
#define MAX(a, a) a
#define MIN(a b) a
active proctype P() {
  skip
}
