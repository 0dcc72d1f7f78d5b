hidden byte scratch;
local byte mine;
active proctype P() {
  scratch = 1;
  mine = 1;
  scratch == 1
}
active proctype Q() {
  assert(mine < 2)
}
