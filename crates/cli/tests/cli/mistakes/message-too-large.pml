typedef Row { byte cell[1000] };
typedef Table { byte id; Row first; byte rest[1000000] };
chan q = [1] of { Table };
Table t;
active proctype P() {
  q!t
}
