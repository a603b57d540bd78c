#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/sock_diag.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

void luna_hide_memory(void) {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (getenv("SWIFT_BACKTRACE")) return;
  static const int deadly[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
    struct sigaction action;
    // What the caller of the program has ignored stays ignored.
    if (sigaction(deadly[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    signal(deadly[i], SIG_DFL);
  }
}

// MARK: HCI sockets

#define LUNA_HCIDEVDOWN _IOW('H', 202, int)
#define LUNA_HCIGETDEVLIST _IOR('H', 210, int)
#define LUNA_HCIGETDEVINFO _IOR('H', 211, int)
#define LUNA_HCIGETCONNLIST _IOR('H', 212, int)

_Static_assert(sizeof(struct luna_sockaddr_hci) == 6, "struct sockaddr_hci");
_Static_assert(sizeof(struct luna_hci_info) == 92, "struct hci_dev_info");

static int result(int value) { return value < 0 ? -errno : value; }

int luna_hci_socket(void) {
  return result(
      socket(LUNA_AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, LUNA_BTPROTO_HCI));
}

int luna_hci_bind(int fd, uint16_t device, uint16_t channel) {
  struct luna_sockaddr_hci address = {LUNA_AF_BLUETOOTH, device, channel};
  return result(bind(fd, (struct sockaddr *)&address, sizeof address));
}

int luna_hci_devices(int fd, uint16_t *devices, int capacity) {
  enum { MAX = 64 };
  struct {
    uint16_t count;
    struct {
      uint16_t device;
      uint32_t options;
    } entries[MAX];
  } list = {.count = MAX};
  if (ioctl(fd, LUNA_HCIGETDEVLIST, &list) < 0) return -errno;
  int count = list.count < capacity ? list.count : capacity;
  for (int i = 0; i < count; i++) devices[i] = list.entries[i].device;
  return count;
}

int luna_hci_device_info(int fd, uint16_t device, struct luna_hci_info *info) {
  memset(info, 0, sizeof *info);
  info->device = device;
  return result(ioctl(fd, LUNA_HCIGETDEVINFO, info));
}

int luna_hci_le_links(int fd, uint16_t device, uint8_t *addresses, int capacity) {
  enum { MAX = 64, LE_LINK = 0x80 };
  struct {
    uint16_t device;
    uint16_t count;
    struct {
      uint16_t handle;
      uint8_t address[6];
      uint8_t type;
      uint8_t out;
      uint16_t state;
      uint32_t link_mode;
    } links[MAX];
  } request = {.device = device, .count = MAX};
  _Static_assert(sizeof request.links[0] == 16, "struct hci_conn_info");
  if (ioctl(fd, LUNA_HCIGETCONNLIST, &request) < 0) return -errno;
  int count = 0;
  for (int i = 0; i < request.count && i < MAX && count < capacity; i++) {
    if (request.links[i].type != LE_LINK) continue;
    memcpy(addresses + 6 * count++, request.links[i].address, 6);
  }
  return count;
}

int luna_hci_device_down(int fd, uint16_t device) {
  return result(ioctl(fd, LUNA_HCIDEVDOWN, (long)device));
}

static int attach(int fd, struct sock_filter *code, unsigned short count) {
  struct sock_fprog program = {count, code};
  return result(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program));
}

// A filter reads numbers as big-endian; the packets hold them little-endian.
#define SWAP16(value) ((((value) & 0xFF) << 8) | ((value) >> 8))

int luna_filter_advertising(int fd) {
  // Monitor header (opcode, index, length: 6 bytes), then the event: code, length, subevent.
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SWAP16(3), 0, 6),  // an HCI event
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 6),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x3E, 0, 4),  // LE Meta
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 8),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x02, 1, 0),  // LE Advertising Report
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0D, 0, 1),  // LE Extended Advertising Report
      BPF_STMT(BPF_RET | BPF_K, 0xFFFFFFFF),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  return attach(fd, code, sizeof code / sizeof *code);
}

int luna_filter_found(int fd) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SWAP16(0x0012), 2, 0),  // Device Found
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SWAP16(0x002F), 1, 0),  // Monitor Device Found
      BPF_STMT(BPF_RET | BPF_K, 0xFFFFFFFF),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  return attach(fd, code, sizeof code / sizeof *code);
}

// MARK: Packets

static int64_t microseconds(const struct timeval *time) {
  return (int64_t)time->tv_sec * 1000000 + time->tv_usec;
}

int luna_receive(int fd, void *buffer, size_t slot, unsigned count, struct luna_packet *packets) {
  struct mmsghdr messages[LUNA_BATCH];
  struct iovec vectors[LUNA_BATCH];
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct timeval))];
  } controls[LUNA_BATCH];
  if (count > LUNA_BATCH) count = LUNA_BATCH;
  for (unsigned i = 0; i < count; i++) {
    vectors[i] = (struct iovec){(char *)buffer + i * slot, slot};
    messages[i] = (struct mmsghdr){0};
    messages[i].msg_hdr.msg_iov = &vectors[i];
    messages[i].msg_hdr.msg_iovlen = 1;
    messages[i].msg_hdr.msg_control = controls[i].bytes;
    messages[i].msg_hdr.msg_controllen = sizeof controls[i].bytes;
  }
  int received;
  do {
    received = recvmmsg(fd, messages, count, MSG_DONTWAIT, NULL);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  for (int i = 0; i < received; i++) {
    struct msghdr *header = &messages[i].msg_hdr;
    packets[i] = (struct luna_packet){
        messages[i].msg_len > slot ? (uint32_t)slot : messages[i].msg_len,
        (header->msg_flags & MSG_TRUNC) != 0, 0};
    for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c; c = CMSG_NXTHDR(header, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMP) continue;
      struct timeval time;
      memcpy(&time, CMSG_DATA(c), sizeof time);
      packets[i].microseconds = microseconds(&time);
    }
  }
  return received;
}

int luna_enable_timestamps(int fd) {
  int on = 1;
  return result(setsockopt(fd, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on));
}

int luna_set_receive_buffer(int fd, int bytes) {
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) == 0) return 0;
  return result(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes));
}

int64_t luna_drops(int fd) {
  uint32_t values[SK_MEMINFO_VARS] = {0};
  socklen_t length = sizeof values;
  if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, values, &length) < 0) return -errno;
  return values[SK_MEMINFO_DROPS];
}

int64_t luna_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int luna_send(int fd, const void *bytes, size_t count) {
  ssize_t sent;
  do {
    sent = send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : (int)sent;
}

// MARK: The process

void luna_name_thread(unsigned long thread, const char *name) {
  pthread_setname_np((pthread_t)thread, name);
}

const char *luna_environment(const char *name) { return secure_getenv(name); }
