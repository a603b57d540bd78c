#define _GNU_SOURCE
#include "luna_unix.h"

#include <errno.h>
#include <sys/stat.h>
#include <stdio.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

int luna_unix_connect(const char *address, int type) {
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  size_t length = strlen(address);
  if (length == 0 || length >= sizeof place.sun_path) return -ENAMETOOLONG;
  memcpy(place.sun_path, address, length);
  int is_abstract = address[0] == '@';
  if (is_abstract) place.sun_path[0] = 0;
  // A name without a file is as long as it is said to be; a path ends with a zero.
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + !is_abstract);
  int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  int result;
  do {
    result = connect(fd, (struct sockaddr *)&place, size);
  } while (result < 0 && errno == EINTR);
  if (result == 0) return fd;
  int error = errno;
  close(fd);
  return -error;
}

int luna_unix_pair(int sockets[2], int milliseconds) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0) return -errno;
  return luna_set_receive_limit(sockets[0], milliseconds);
}

int luna_set_receive_limit(int socket, int milliseconds) {
  struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
  return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) < 0 ? -errno : 0;
}

int luna_receive_descriptor(int socket, void *bytes, size_t capacity, int *descriptor) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof *descriptor)];
  } control;
  struct iovec vector = {bytes, capacity};
  struct msghdr message = {
      .msg_iov = &vector,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      .msg_controllen = sizeof control.bytes};
  *descriptor = -1;
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    // There is room for one: the kernel closes others.
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
      memcpy(descriptor, CMSG_DATA(c), sizeof *descriptor);
    }
  }
  return (int)received;
}

// What takes the address of a socket: bind, or connect.
typedef int address_user(int, const struct sockaddr *, socklen_t);

static int use_in(const char *directory, const char *name, address_user *use) {
  // A directory that is open has a short path.
  int place = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (place < 0) return -errno;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", place, name);
  int result = -1;
  int opened = -1;
  if (length < 0 || (size_t)length >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
  } else if ((opened = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) >= 0) {
    // The file that bind makes has these rights.
    result = fchmod(opened, 0600);
    if (result == 0) result = use(opened, (const struct sockaddr *)&address, sizeof address);
  }
  int code = errno;
  close(place);
  if (result == 0) return opened;
  if (opened >= 0) close(opened);
  return -code;
}

int luna_unix_listen(const char *directory, const char *name) {
  int opened = use_in(directory, name, bind);
  if (opened >= 0 && listen(opened, 16) != 0) {
    int code = errno;
    close(opened);
    return -code;
  }
  return opened;
}

int luna_unix_join(const char *directory, const char *name) { return use_in(directory, name, connect); }

int luna_unix_accept(int socket) {
  int accepted = accept4(socket, NULL, NULL, SOCK_CLOEXEC);
  return accepted >= 0 ? accepted : -errno;
}

bool luna_unix_is_own(int socket) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return false;
  return peer.uid == 0 || peer.uid == geteuid();
}
