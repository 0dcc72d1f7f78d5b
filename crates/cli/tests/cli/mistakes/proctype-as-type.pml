proctype Q() { skip }
chan q = [1] of { Q };
active proctype P() {
  skip
}
