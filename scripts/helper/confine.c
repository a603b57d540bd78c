#define _GNU_SOURCE
#include "confine.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#error "luna-helper: this architecture's AUDIT_ARCH is to be added here"
#endif

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
// Its lower half: all of the machines above are little-endian.
#define ARGUMENT(number) FIELD(args[number])
// The next `count` instructions are for this value only.
#define ONLY(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, count)
// The next `count` instructions are for other values.
#define NOT(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), count, 0)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW_CALL(name) ONLY(SYS_##name, 1), ALLOW

static struct sock_filter code[] = {
    FIELD(arch), NOT(ARCHITECTURE, 1), KILL,
    FIELD(nr),
    // Sockets of HCI and L2CAP alone.
    ONLY(SYS_socket, 7),
    ARGUMENT(0), ONLY(AF_BLUETOOTH, 4), ARGUMENT(2), NOT(BTPROTO_HCI, 1), ONLY(BTPROTO_L2CAP, 1), ALLOW, KILL,
    // The interface of an adapter alone.
    ONLY(SYS_ioctl, 5),
    ARGUMENT(1), NOT(HCIDEVUP, 1), ONLY(HCIDEVDOWN, 1), ALLOW, KILL,
    ALLOW_CALL(recvfrom), ALLOW_CALL(setsockopt), ALLOW_CALL(bind), ALLOW_CALL(capset),
    ALLOW_CALL(sendmsg), ALLOW_CALL(close), ALLOW_CALL(exit_group),
    KILL,
};

void confine(void) {
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(1);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 && errno != EINVAL) _exit(1);
}

int drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return syscall(SYS_capset, &header, none) == 0 ? 0 : -1;
}
