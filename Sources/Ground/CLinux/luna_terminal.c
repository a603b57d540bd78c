#include "luna_terminal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// Deadly signals are always ours; the polite ones only where nobody else handles them.
static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
static const int polite[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
static const int useful[] = {SIGCONT, SIGWINCH};

// Alternate screen, cursor off, no wrapping at the right margin; and back (xterm's ctlseqs).
static const char enter_text[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave_text[] = "\033[0m\033[?7h\033[?25h\033[?1049l";

static atomic_bool active;  // ours, until luna_terminal_leave
static atomic_bool shown;   // entered now: frames may be written
static atomic_bool writing;
static pthread_t writer;
static atomic_bool stop_wanted, continued;
static int terminal = -1, notify_fd = -1;
static struct termios original, raw;
static struct sigaction previous[NSIG];
static bool installed[NSIG];

// Writes all of it, or what is taken before nobody takes anything for `patience` milliseconds; a frame
// only while there is a place for frames.
static void put(const char *text, size_t left, int patience, bool frame) {
  while (left > 0 && !(frame && !atomic_load(&shown))) {
    ssize_t written = write(terminal, text, left);
    if (written > 0) {
      text += written;
      left -= (size_t)written;
    } else if (errno == EAGAIN) {
      struct pollfd wait = {.fd = terminal, .events = POLLOUT};
      if (poll(&wait, 1, patience) == 0) return;
    } else if (errno != EINTR) {
      return;
    }
  }
}

static void notify(void) {
  uint64_t one = 1;
  ssize_t ignored = write(notify_fd, &one, sizeof one);
  (void)ignored;
}

static void show(void) {
  tcsetattr(terminal, TCSANOW, &raw);
  put(enter_text, strlen(enter_text), 300, false);
  atomic_store(&shown, true);
}

static void put_back(void) {
  atomic_store(&shown, false);
  // A frame that another thread is writing must not come after the end. That thread stops at the next
  // piece, after a second of patience at most: but on a busy machine it may not be running just now.
  for (int i = 0; i < 5000 && atomic_load(&writing) && !pthread_equal(writer, pthread_self()); i++) {
    struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
  }
  put(leave_text, strlen(leave_text), 300, false);
  // From the background this would stop the process in the middle of its end. Not TCSADRAIN: it
  // waits for a reader who may be gone.
  sigset_t output, before;
  sigemptyset(&output);
  sigaddset(&output, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &output, &before);
  tcsetattr(terminal, TCSANOW, &original);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void on_end(int signal, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  if (atomic_exchange(&active, false)) put_back();
  // What would have happened without us happens when this handler returns: a fault comes again by
  // itself, with its address; anything else is raised again.
  sigaction(signal, &previous[signal], NULL);
  bool comes_again = info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS ||
                                           signal == SIGILL || signal == SIGFPE);
  if (!comes_again) raise(signal);
  errno = saved;
}

// Stopping and going on are done by the thread that writes (luna_terminal_settle): it alone can be
// sure that no frame falls in between.
static void on_stop(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
  int saved = errno;
  atomic_store(&stop_wanted, true);
  notify();
  errno = saved;
}

static void on_continue(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
  int saved = errno;
  atomic_store(&continued, true);
  notify();
  errno = saved;
}

static void on_resize(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
  int saved = errno;
  notify();
  errno = saved;
}

typedef void handler_t(int, siginfo_t *, void *);

static void install(int signal, handler_t *handler, bool only_if_default) {
  struct sigaction action = {.sa_sigaction = handler,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  sigaction(signal, NULL, &previous[signal]);
  bool is_default =
      !(previous[signal].sa_flags & SA_SIGINFO) && previous[signal].sa_handler == SIG_DFL;
  if (only_if_default && !is_default) return;
  installed[signal] = sigaction(signal, &action, NULL) == 0;
}

static void uninstall(int signal) {
  if (!installed[signal]) return;
  installed[signal] = false;
  struct sigaction now;
  sigaction(signal, NULL, &now);
  // Somebody who came later keeps the signal.
  handler_t *handler = now.sa_sigaction;
  bool ours = handler == on_end || handler == on_stop || handler == on_continue ||
              handler == on_resize;
  if (ours) sigaction(signal, &previous[signal], NULL);
}

#define EACH(signals, call) \
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) { \
    int signal = signals[i]; \
    call; \
  }

int luna_terminal_enter(int fd, int notify) {
  static bool at_exit;
  if (atomic_load(&active)) return -EBUSY;
  if (tcgetattr(fd, &original) != 0) return -errno;
  raw = original;
  raw.c_iflag &= (tcflag_t) ~(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
  raw.c_lflag &= (tcflag_t) ~(ECHO | ICANON | IEXTEN);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  terminal = fd;
  notify_fd = notify;
  if (!at_exit) at_exit = atexit(luna_terminal_leave) == 0;
  // From the first change on, a signal finds it and undoes it.
  atomic_store(&active, true);
  EACH(deadly, install(signal, on_end, false));
  EACH(polite, install(signal, signal == SIGTSTP ? on_stop : on_end, true));
  EACH(useful, install(signal, signal == SIGCONT ? on_continue : on_resize, false));
  show();
  return 0;
}

void luna_terminal_leave(void) {
  if (!atomic_exchange(&active, false)) return;
  put_back();
  EACH(deadly, uninstall(signal));
  EACH(polite, uninstall(signal));
  EACH(useful, uninstall(signal));
}

void luna_terminal_settle(void) {
  if (!atomic_load(&active)) return;
  bool stops = atomic_exchange(&stop_wanted, false);
  if (stops) {
    put_back();
    struct sigaction ours;
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigaction(SIGTSTP, &previous[SIGTSTP], &ours);
    pthread_sigmask(SIG_UNBLOCK, &stop, &before);
    raise(SIGTSTP);
    // Stopped here, or not at all where no shell could make the process go on.
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGTSTP, &ours, NULL);
  }
  if (atomic_exchange(&continued, false) || stops) show();
}

void luna_terminal_write(const char *bytes, size_t count) {
  writer = pthread_self();
  atomic_store(&writing, true);
  put(bytes, count, 1000, true);
  atomic_store(&writing, false);
}

int luna_terminal_size(int fd, uint16_t *columns, uint16_t *rows) {
  struct winsize size = {0};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -errno;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}
