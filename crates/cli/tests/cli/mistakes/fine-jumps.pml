byte x;
chan q = [0] of { byte };
active proctype P() {
again:
  if
  :: x < 3 -> x++; goto again
  :: else -> goto done
  fi;
done:
  do
  :: q!x -> goto end
  od;
end:
  skip
}
active proctype Q() {
  byte got;
end_wait:
  do
  :: q?got -> assert(got == 3)
  od
}
