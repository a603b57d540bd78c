import Bluetooth
import Diagnosis
import Glibc

/// A file, pipe or standard input that is read; closed when it goes.
struct CaptureFile: ~Copyable {
  let descriptor: Int32
  /// Whether reading never has to wait.
  let isRegular: Bool
  /// How large it was when it was opened.
  private let size: Int
  private let isOwned: Bool
  /// How it is called in errors.
  let name: String

  /// Opens `path`; `-` is standard input.
  init(path: String) throws(SourceError) {
    isOwned = path != "-"
    name = isOwned ? path : "standard input"
    // Not blocking: a FIFO that nobody writes to yet must not hold up the start.
    descriptor = isOwned ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : STDIN_FILENO
    var status = stat()
    let code = descriptor < 0 || fstat(descriptor, &status) != 0 ? errno : 0
    isRegular = status.st_mode & S_IFMT == S_IFREG
    size = status.st_size
    guard code == 0 else { throw CaptureFile.error("opened", name, code) }
  }

  deinit { if isOwned, descriptor >= 0 { close(descriptor) } }

  /// Reads what there is into `space`.
  ///
  /// - Returns: the number of bytes, 0 at the end; nil when it has to be waited for them.
  func read(into space: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int? {
    while true {
      if !isRegular {
        // Standard input may be in blocking mode, and is shared with others: look first.
        var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&query, 1, 0) > 0 else { return nil }
      }
      let count = Glibc.read(descriptor, space.baseAddress, space.count)
      if count == 0 { try checkWhole() }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      default: throw CaptureFile.error("read", name, errno)
      }
    }
  }

  /// At the end: whether the file was cut meanwhile, and ends before it did, or before what was read of it.
  private func checkWhole() throws(SourceError) {
    var status = stat()
    guard isRegular, fstat(descriptor, &status) == 0 else { return }
    let position = lseek(descriptor, 0, SEEK_CUR)
    guard position < size || position > status.st_size else { return }
    throw SourceError(.lost, "\(name) was cut while it was read", remedy: "read a copy of it")
  }

  static func error(_ what: String, _ path: String, _ code: Int32) -> SourceError {
    SourceError(
      code == EACCES || code == EPERM ? .noPermission : .unreadable,
      "\(path) cannot be \(what): \(String(cString: strerror(code)))")
  }
}
