#line
#line 3 model
active proctype P() {
  skip
}
