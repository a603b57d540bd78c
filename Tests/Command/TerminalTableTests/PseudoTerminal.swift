import Glibc
import Synchronization
import Testing

/// The screen side of a terminal for a process under test.
final class PseudoTerminal: Sendable {
  struct Failure: Error {
    var text: String
  }

  /// What the process opens.
  let path: String
  private let master: CInt
  /// Kept open, so that the terminal's state outlives the process.
  private let slave: CInt
  private let received = Mutex<[UInt8]>([])

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    // The ioctls behind unlockpt and ptsname, which the Glibc module lacks (ioctl_tty(2)).
    let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    var (locked, number): (CInt, CUnsignedInt) = (0, 0)
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0, ioctl(master, setLock, &locked) == 0, ioctl(master, getNumber, &number) == 0
    else { throw Failure(text: "no pseudo-terminal: errno \(errno)") }
    path = "/dev/pts/\(number)"
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw Failure(text: "cannot open \(path): errno \(errno)") }
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(slave)
    close(master)
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Whether lines are edited and echoed, as a shell expects it.
  var isCooked: Bool {
    var state = termios()
    tcgetattr(slave, &state)
    return state.c_lflag & UInt32(ICANON) != 0 && state.c_lflag & UInt32(ECHO) != 0
      && state.c_iflag & UInt32(ICRNL) != 0
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Waits until the process wrote `text`, at most 300 s, and gives what came up to its end.
  func read(until text: String) throws -> String {
    let wanted = Array(text.utf8)
    let limit = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < limit {
      let found: String? = received.withLock { bytes in
        guard let range = bytes.firstRange(of: wanted) else { return nil }
        defer { bytes.removeSubrange(..<range.upperBound) }
        return String(decoding: bytes[..<range.upperBound], as: UTF8.self)
      }
      if let found { return found }
      take(milliseconds: 100)
    }
    let got = received.withLock { String(decoding: $0, as: UTF8.self) }
    throw Failure(text: "\(text.debugDescription) did not come, only \(got.debugDescription)")
  }

  /// Everything else that was written, by a process that has ended. The kernel may pass it on later than
  /// that, but in order: so it ends with a mark that comes from here.
  func rest() throws -> String {
    let mark = "<the end of it>"
    _ = write(slave, mark, mark.utf8.count)
    return String(try read(until: mark).dropLast(mark.count))
  }

  private func take(milliseconds: CInt) {
    var file = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&file, 1, milliseconds) > 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(master, &buffer, buffer.count)
    guard count > 0 else { return }
    received.withLock { $0 += buffer[..<count] }
  }
}
