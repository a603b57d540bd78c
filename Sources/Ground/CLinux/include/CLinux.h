// What Linux offers and the Glibc module does not export: wrapped here, and only here.
// Functions return what they were asked for, or -errno.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "luna_devices.h"
#include "luna_mappings.h"
#include "luna_packets.h"
#include "luna_spawn.h"
#include "luna_terminal.h"
#include "luna_unix.h"

// From now on the process leaves no core file, and other processes of the user cannot look into it:
// its memory holds keys. Programs that it starts are as they always are.
// Nor does the runtime of Swift write its report of a crash, which shows the memory that the registers
// point to; and as its handler counts on the fault to come again, a signal that was sent would not end
// the process. Who wants the report sets SWIFT_BACKTRACE. To be called first, by the first thread.
void luna_hide_memory(void);

// Keeps malloc as it begins: a block of 128 KiB or more is the kernel's own, which has it back when it is
// freed. Left alone, malloc learns from such a block to take the next ones from its heaps, and a queue that
// was full once leaves tens of MiB there for as long as the process lives. To be called before other threads run.
void luna_return_memory(void);

// How many processors this process may use.
int luna_processors(void);

// Names a thread, for those who look at it with ps or gdb; at most 15 bytes.
void luna_name_thread(unsigned long thread, const char *name);

// Whether the clock is kept right by somebody (adjtimex): 1 or 0, or -errno.
int luna_clock_is_synchronised(void);

// A variable of the environment; nothing in a program that has more rights than its caller.
const char *luna_environment(const char *name);

// Whether this process has a capability (CAP_NET_ADMIN is 12) now.
int luna_has_capability(int number);
// Whether programs that this process starts get no more rights than it has.
int luna_is_confined(void);
