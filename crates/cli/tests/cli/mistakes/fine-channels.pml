mtype = { request, reply };
chan server = [1] of { mtype, chan };
proctype Client(chan out) {
  chan in = [1] of { mtype };
  out!request, in;
  in?reply
}
active proctype Server() {
  chan to;
end:
  do
  :: server?request, to -> to!reply
  od
}
init {
  run Client(server)
}
