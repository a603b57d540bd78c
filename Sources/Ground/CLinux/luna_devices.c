#include "luna_devices.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/rfkill.h>
#include <linux/usbdevice_fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

int luna_rfkill_unblock(uint32_t number) {
  int fd = open("/dev/rfkill", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -errno;
  struct rfkill_event event = {.idx = number, .type = RFKILL_TYPE_BLUETOOTH, .op = RFKILL_OP_CHANGE};
  // The first version of the structure, which every kernel takes.
  int outcome = write(fd, &event, RFKILL_EVENT_SIZE_V1) < 0 ? -errno : 0;
  close(fd);
  return outcome;
}

int luna_usb_reset(const char *node) {
  int fd = open(node, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -errno;
  int outcome = ioctl(fd, USBDEVFS_RESET, 0) < 0 ? -errno : 0;
  close(fd);
  return outcome;
}
