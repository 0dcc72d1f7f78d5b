#include "include/broken.h"
active proctype P() {
  set(1)
}
