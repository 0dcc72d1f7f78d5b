active proctype P() {
  ; skip
}
