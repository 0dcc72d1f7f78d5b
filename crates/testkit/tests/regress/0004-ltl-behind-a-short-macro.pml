#define L ltl { true
init { skip }
L}