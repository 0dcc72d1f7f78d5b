chan q = [0] of { byte };
active proctype P() {
End:
  do
  :: q!1
  od
}
active proctype Q() {
progres_:
  do
  :: q?_
  od
}
