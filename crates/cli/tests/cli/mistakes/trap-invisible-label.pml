byte x;
active proctype P() {
  do
  :: atomic {
       x = 1;
progress:
       x = 0
     }
  :: d_step {
       x = 1;
end:
       x = 0
     }
  :: x > 1 -> break
  od
}
