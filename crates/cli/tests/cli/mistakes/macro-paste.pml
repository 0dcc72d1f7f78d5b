#define GLUE(a) a ## +
#define EDGE(a) ## a
#define QUOTE(a) #b
byte x;
active proctype P() {
  x = GLUE(x) 1
}
