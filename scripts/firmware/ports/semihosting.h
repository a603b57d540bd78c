// What an emulated board asks its emulator for (Arm, "Semihosting for AArch32 and AArch64"; RISC-V has the same).
#pragma once
#include <stddef.h>

// Its flash is the file that the first argument of the emulator names, its entropy comes from the one that the second
// names. They are the same for all emulated boards, and implement the functions of luna_board.h for both.
void luna_semihosting_begin(void);
void luna_semihosting_write(const char *text);
