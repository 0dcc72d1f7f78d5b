typedef Page {
  int words[1000000]
}

byte memory[2000000000];
Page pages[20];

active proctype P() {
  memory[pages[0].words[0]] = 1
}
