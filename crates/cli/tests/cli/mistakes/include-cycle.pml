#include "include/cycle.h"
active proctype P() {
  skip
}
