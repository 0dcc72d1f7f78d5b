#ifndef SIZE
#warning "SIZE should be set"
#error "SIZE must be set"
#endif
active proctype P() {
  skip
}
