#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/errqueue.h>
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

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

void luna_return_memory(void) { mallopt(M_MMAP_THRESHOLD, 128 * 1024); }

int luna_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static int result(int value) { return value < 0 ? -errno : value; }

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

int luna_socket_error(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? errno : error;
}

int64_t luna_least_round_trip(int fd) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return -errno;
  // A kernel writes as much as it knows; before the first answer it says the largest number there is.
  if (size < offsetof(struct tcp_info, tcpi_min_rtt) + sizeof info.tcpi_min_rtt) return 0;
  return info.tcpi_min_rtt == UINT32_MAX ? 0 : info.tcpi_min_rtt;
}

int luna_read_tcp_counters(int fd, struct luna_tcp_counters *counters) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return -errno;
  // What an old kernel does not write stays 0.
  *counters = (struct luna_tcp_counters){
      .acknowledged = (int64_t)info.tcpi_bytes_acked,
      .selected = info.tcpi_sacked,
      .sent = (int64_t)info.tcpi_bytes_sent,
      .retransmitted = (int64_t)info.tcpi_bytes_retrans,
      .segments = info.tcpi_segs_out,
      .least_round_trip = info.tcpi_min_rtt == UINT32_MAX ? 0 : info.tcpi_min_rtt,
      .receiving_round_trip = info.tcpi_rcv_rtt,
      .sent_size = info.tcpi_snd_mss,
      .received = info.tcpi_data_segs_in,
      .received_size = info.tcpi_rcv_mss,
      .came = (int64_t)info.tcpi_bytes_received};
  return 0;
}

int luna_limit_hops(int fd, int is_ipv6, int hops) {
  int on = 1;
  int level = is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP;
  if (setsockopt(fd, level, is_ipv6 ? IPV6_RECVERR : IP_RECVERR, &on, sizeof on) < 0) return -errno;
  return result(setsockopt(fd, level, is_ipv6 ? IPV6_UNICAST_HOPS : IP_TTL, &hops, sizeof hops));
}

int luna_read_path_answer(int fd, struct luna_path_answer *answer) {
  struct sockaddr_storage target = {0};
  char payload[64];
  union {
    struct cmsghdr header;
    char bytes[512];
  } control;
  struct iovec vector = {payload, sizeof payload};
  struct msghdr message = {
      .msg_name = &target, .msg_namelen = sizeof target, .msg_iov = &vector, .msg_iovlen = 1,
      .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  if (recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return -errno;
  *answer = (struct luna_path_answer){0};
  // The port is at the same place in both families.
  answer->port = ntohs(((struct sockaddr_in *)&target)->sin_port);
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    int is_ipv4 = c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR;
    int is_ipv6 = c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR;
    if (!is_ipv4 && !is_ipv6) continue;
    struct sock_extended_err *error = (struct sock_extended_err *)CMSG_DATA(c);
    if (error->ee_origin != SO_EE_ORIGIN_ICMP && error->ee_origin != SO_EE_ORIGIN_ICMP6) continue;
    struct sockaddr *offender = SO_EE_OFFENDER(error);
    const void *bytes;
    if (offender->sa_family == AF_INET) {
      bytes = &((struct sockaddr_in *)offender)->sin_addr;
    } else if (offender->sa_family == AF_INET6) {
      bytes = &((struct sockaddr_in6 *)offender)->sin6_addr;
    } else {
      continue;
    }
    if (!inet_ntop(offender->sa_family, bytes, answer->address, sizeof answer->address)) continue;
    answer->reached = error->ee_origin == SO_EE_ORIGIN_ICMP
                          ? error->ee_type == ICMP_DEST_UNREACH && error->ee_code == ICMP_PORT_UNREACH
                          : error->ee_type == ICMPV6_DEST_UNREACH && error->ee_code == ICMPV6_PORT_UNREACH;
    return 1;
  }
  return 0;
}

void luna_name_thread(unsigned long thread, const char *name) {
  pthread_setname_np((pthread_t)thread, name);
}

int luna_clock_is_synchronised(void) {
  struct timex state = {.modes = 0};
  int value = result(adjtimex(&state));
  return value < 0 ? value : !(state.status & STA_UNSYNC);
}

const char *luna_environment(const char *name) { return secure_getenv(name); }

int luna_has_capability(int number) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
  if (syscall(SYS_capget, &header, sets) != 0) return 0;
  return (sets[CAP_TO_INDEX(number)].effective & CAP_TO_MASK(number)) != 0;
}

int luna_is_confined(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1; }
