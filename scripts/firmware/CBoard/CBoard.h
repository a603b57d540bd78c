// What firmware in Swift calls of C.
#pragma once
#include "luna_board.h"
#include "../runtime/heap.h"
