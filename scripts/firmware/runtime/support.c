// What else Swift's runtime asks for.
#include "luna_board.h"

uintptr_t __stack_chk_guard = 0x5A17C0DE;

_Noreturn void __stack_chk_fail(void) { luna_restart(); }

// Seeds of hash tables, not of keys: without entropy the board has stopped before it matters.
void arc4random_buf(void *bytes, size_t count) { (void)luna_entropy(bytes, count); }
