import CLinux
import Glibc

/// The terminal while the live table has it: alternate screen, single keys. It is put back into
/// its old state at the end, by whatever the end comes (`luna_terminal_enter` says how).
public struct Terminal: ~Copyable {
  /// What made a wait end.
  struct Wakeup: Sendable, Equatable {
    /// What was typed.
    var bytes: [UInt8] = []
    /// Somebody wrote to the notification: a new size, Ctrl-Z, a continuation, or the wish to end.
    var isNotified = false
    /// There is no terminal any more.
    var isHungUp = false
  }

  private let descriptor: CInt
  private let notification: CInt

  /// Takes the terminal over.
  ///
  /// - Parameters:
  ///   - path: the terminal; nil for the controlling one, whatever standard input is.
  ///   - notification: an eventfd that is written to after a change of size, and when the process
  ///     is to stop or goes on.
  init(path: String?, notification: CInt) throws(TerminalError) {
    // An open file of our own: not blocking here does not concern whoever shares standard output.
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    var descriptor = open(path ?? "/dev/tty", flags)
    if descriptor < 0, path == nil, let name = ttyname(STDOUT_FILENO) {
      descriptor = open(name, flags)
    }
    if descriptor < 0 { throw TerminalError(kind: .open, code: errno) }
    let code = luna_terminal_enter(descriptor, notification)
    if code != 0 {
      close(descriptor)
      throw TerminalError(kind: .configure, code: -code)
    }
    self.descriptor = descriptor
    self.notification = notification
  }

  deinit {
    luna_terminal_leave()
    close(descriptor)
  }

  /// Whether standard output is a terminal.
  public static var isStandardOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// How many characters a line of standard output has; nil where it is no terminal, or one that
  /// does not say.
  public static var standardOutputWidth: Int? { width(of: STDOUT_FILENO) }

  /// The same of any descriptor.
  package static func width(of descriptor: CInt) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var (columns, rows): (UInt16, UInt16) = (0, 0)
    guard luna_terminal_size(descriptor, &columns, &rows) == 0, columns > 0 else { return nil }
    return Int(columns)
  }

  /// Whether the terminal can do nothing but show one line after the other.
  public static var isDumb: Bool {
    guard let name = getenv("TERM") else { return false }
    return unsafe String(cString: name) == "dumb"
  }

  var size: TerminalSize {
    var (columns, rows): (UInt16, UInt16) = (0, 0)
    guard luna_terminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return .usual
    }
    return TerminalSize(columns: Int(columns), rows: Int(rows))
  }

  /// Waits for keys or a notification, at most this long.
  func wait(milliseconds: Int) -> Wakeup {
    var files = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: notification, events: Int16(POLLIN), revents: 0),
    ]
    var wakeup = Wakeup()
    guard poll(&files, 2, CInt(clamping: milliseconds)) > 0 else { return wakeup }
    if files[1].revents != 0 {
      var count: UInt64 = 0
      wakeup.isNotified = read(notification, &count, 8) == 8
    }
    if files[0].revents != 0 {
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        wakeup.bytes = Array(buffer.prefix(count))
      } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
        wakeup.isHungUp = true
      }
    }
    return wakeup
  }

  /// Writes a frame. One that nobody takes within a second is left unfinished: the next one draws
  /// everything anew.
  func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      luna_terminal_write(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
    }
  }

  /// What has to follow a notification: stops the process where Ctrl-Z wants that, and takes the
  /// terminal over again afterwards.
  func settle() { luna_terminal_settle() }
}
