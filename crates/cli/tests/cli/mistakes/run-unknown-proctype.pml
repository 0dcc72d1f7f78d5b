proctype Worker() {
  skip
}
init {
  run Wroker();
  run Helper()
}
