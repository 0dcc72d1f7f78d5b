/* Eleven lines describe a message of 100^10 values, and the number of them
   overflowed. */
typedef A { int x }
typedef B { A x[100] }
typedef C { B x[100] }
typedef D { C x[100] }
typedef E { D x[100] }
typedef F { E x[100] }
typedef G { F x[100] }
typedef H { G x[100] }
typedef I { H x[100] }
typedef J { I x[100] }
typedef K { J x[100] }
K k;
chan q = [1] of { K };
init { q!k; q?k }
