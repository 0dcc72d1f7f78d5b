#line 4294967295
int x
int y = z;
init { skip }
