proctype Worker() {
  skip
}
init {
  if
  :: run Worker() -> skip
  :: else -> assert(false)
  fi
}
