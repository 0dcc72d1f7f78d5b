byte count;
active proctype P() {
  conut = 1;
  if
  :: count = 1 -> skip
  :: (count = 2) -> skip
  od;
  goto nowhere
}
proctype Q() {
  run R();
  x = 1
}
