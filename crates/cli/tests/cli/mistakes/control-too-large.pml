#define TEN(text) text text text text text text text text text text
byte x;
active proctype P() {
  {
    TEN(TEN(TEN(x++;)))
  } unless {
    if
    TEN(TEN(TEN(:: x == 3 -> skip)))
    fi
  }
}
