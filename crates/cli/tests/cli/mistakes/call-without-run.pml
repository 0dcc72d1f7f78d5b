proctype Worker() {
  skip
}
init {
  Worker()
}
