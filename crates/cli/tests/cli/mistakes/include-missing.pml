#include "missing.h"
#include <stdio.h>
#include missing.h
active proctype P() {
  skip
}
