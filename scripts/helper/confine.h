// What luna-helper gives up.
#pragma once

// Before anything is read: no other program is run with more rights, no memory is shown, and no system
// calls are made but those that a request takes. Ends the process where that cannot be had; only a kernel
// that is built without seccomp is done without it.
void confine(void);

// After the socket is open: all capabilities. Returns 0, or -1.
int drop_capabilities(void);
