// What Linux offers and the Glibc module does not export: wrapped here, and only here.
// Functions return what they were asked for, or -errno.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "luna_hci.h"
#include "luna_l2cap.h"
#include "luna_packets.h"
#include "luna_spawn.h"
#include "luna_terminal.h"

// From now on the process leaves no core file, and other processes of the user cannot look into it:
// its memory holds keys. Programs that it starts are as they always are.
// Nor does the runtime of Swift write its report of a crash, which shows the memory that the registers
// point to; and as its handler counts on the fault to come again, a signal that was sent would not end
// the process. Who wants the report sets SWIFT_BACKTRACE. To be called first, by the first thread.
void luna_hide_memory(void);

// Names a thread, for those who look at it with ps or gdb; at most 15 bytes.
void luna_name_thread(unsigned long thread, const char *name);

// A variable of the environment; nothing in a program that has more rights than its caller.
const char *luna_environment(const char *name);
