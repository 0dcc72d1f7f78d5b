byte x;
inline a() { x++; x++; x++; x++; x++; x++; x++; x++ }
inline b() { a(); a(); a(); a(); a(); a(); a(); a() }
inline c() { b(); b(); b(); b(); b(); b(); b(); b() }
inline d() { c(); c(); c(); c(); c(); c(); c(); c() }
inline e() { d(); d(); d(); d(); d(); d(); d(); d() }
inline f() { e(); e(); e(); e(); e(); e(); e(); e() }
inline g() { f(); f(); f(); f(); f(); f(); f(); f() }
active proctype P() {
  g()
}
