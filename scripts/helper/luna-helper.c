// Opens the Bluetooth sockets that need capabilities, for luna, which then needs none.
//
// It is started with a Unix socket (SOCK_SEQPACKET) as its standard input: by luna itself, with the
// capabilities CAP_NET_RAW and CAP_NET_ADMIN of its file, or by systemd for a connection to
// luna-helper.socket. It takes one request (request.h), opens and binds the socket, gives up all
// capabilities, hands the socket over and ends. It answers "ok", with the socket, or "error CALL ERRNO",
// and "refused" to what it does not understand. Who may ask it is a matter of the modes of its file and of
// its socket: root and the group bluetooth.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "CBlueZ.h"
#include "confine.h"
#include "request.h"

// How long a caller may take for its request.
enum { PATIENCE_SECONDS = 5 };
// Room for several seconds of a busy place.
enum { RECEIVE_BUFFER = 8 << 20 };

// The call that failed, for the answer.
static const char *call;

// -errno of a call that has just failed.
static int failed(const char *name) {
  call = name;
  return -errno;
}

// The functions of CBlueZ return -errno.
static int checked(const char *name, int result) {
  if (result < 0) call = name;
  return result;
}

static int set_option(int fd, int option, int value) {
  return setsockopt(fd, SOL_SOCKET, option, &value, sizeof value) < 0 ? failed("setsockopt") : 0;
}

static int prepare(int fd, const struct request *request) {
  int error = set_option(fd, SO_TIMESTAMP, 1);
  if (error < 0) return error;
  // A small buffer is better than none.
  (void)set_option(fd, SO_RCVBUFFORCE, RECEIVE_BUFFER);
  if (request->action != OPEN_MONITOR) return 0;
  // Before the bind: it replays what the kernel knows, and events begin to arrive.
  error = checked("setsockopt", luna_filter_advertising(fd));
  return error < 0 ? error : set_option(fd, SO_LOCK_FILTER, 1);
}

static int bind_channel(int fd, const struct request *request) {
  uint16_t channel = request->action == OPEN_MONITOR   ? HCI_CHANNEL_MONITOR
                     : request->action == OPEN_CONTROL ? HCI_CHANNEL_CONTROL
                                                       : HCI_CHANNEL_USER;
  return checked("bind", luna_hci_bind(fd, request->adapter, channel));
}

static int is_for_everybody(const struct request *request) {
  return request->action == OPEN_QUERY || request->action == OPEN_LINK;
}

// Does what is asked with a new socket; returns it, or -errno. No capability is left in the end.
static int carry_out(const struct request *request) {
  if (is_for_everybody(request)) {
    if (drop_capabilities() != 0) return failed("capset");
    return checked("socket", request->action == OPEN_LINK ? luna_att_socket() : luna_hci_socket());
  }
  int fd = checked("socket", luna_hci_socket());
  if (fd < 0) return fd;
  int error;
  switch (request->action) {
    case BRING_UP: error = checked("ioctl", luna_hci_device_up(fd, request->adapter)); break;
    case TAKE_DOWN: error = checked("ioctl", luna_hci_device_down(fd, request->adapter)); break;
    default:
      error = prepare(fd, request);
      if (error == 0) error = bind_channel(fd, request);
  }
  if (error == 0 && drop_capabilities() != 0) error = failed("capset");
  if (error == 0) return fd;
  close(fd);
  return error;
}

static int hands_over(const struct request *request) {
  return request->action != BRING_UP && request->action != TAKE_DOWN;
}

// Answers, with a socket unless `fd` is negative.
static int answer(const char *text, int fd) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof fd)];
  } control;
  memset(&control, 0, sizeof control);
  struct iovec vector = {(char *)text, strlen(text)};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (fd >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  return sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? 1 : 0;
}

// Whether standard input is a Unix socket that keeps packets apart.
static int is_called_by_luna(void) {
  int domain = 0, type = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0) return 0;
  size = sizeof type;
  if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) < 0) return 0;
  return domain == AF_UNIX && type == SOCK_SEQPACKET;
}

int main(int argc, char **argv) {
  (void)argv;
  // Or the socket that is opened would be what somebody prints to.
  if (fcntl(STDIN_FILENO, F_GETFD) < 0 || fcntl(STDOUT_FILENO, F_GETFD) < 0 || fcntl(STDERR_FILENO, F_GETFD) < 0) {
    return 2;
  }
  if (argc != 1 || !is_called_by_luna()) {
    fputs("luna-helper: luna starts this program; see luna-helper(8)\n", stderr);
    return 2;
  }
  struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
  if (setsockopt(STDIN_FILENO, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0) return 1;
  confine();

  // Descriptors that somebody sends along are closed by the kernel, since there is no room for them.
  char text[REQUEST_LIMIT + 1];
  ssize_t length = recv(STDIN_FILENO, text, sizeof text, 0);
  if (length <= 0) _exit(1);
  struct request request;
  if (length > REQUEST_LIMIT || parse_request(text, (size_t)length, &request) != 0) {
    _exit(answer("refused", -1));
  }
  int fd = carry_out(&request);
  if (fd >= 0) _exit(answer("ok", hands_over(&request) ? fd : -1));
  char error[64];
  snprintf(error, sizeof error, "error %s %d", call, -fd);
  _exit(answer(error, -1));
}
