char c = 'a';
active proctype P() {
  c = 'b'
}
