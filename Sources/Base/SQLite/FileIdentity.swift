import Glibc

/// Which file it is that is at a path, where there are no links: its device and its number there.
struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let number: ino_t
  /// Whether there is nothing in it. No part of who it is.
  let isEmpty: Bool

  /// What is at a path now.
  enum Place {
    case file(FileIdentity)
    /// Nothing: the file, or a directory on the way, was deleted or moved.
    case nothing
    /// Whoever asks may not look, or the disk does not answer.
    case unknown
  }

  private init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
    isEmpty = status.st_size == 0
  }

  static func place(_ path: String) -> Place {
    var status = stat()
    // A link leads to the same file today, and to another one at the next start.
    while lstat(path, &status) != 0 {
      switch errno {
      case EINTR: continue
      case ENOENT, ENOTDIR, ELOOP, ESTALE: return .nothing
      default: return .unknown
      }
    }
    return .file(FileIdentity(status))
  }

  static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.device == right.device && left.number == right.number
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(device)
    hasher.combine(number)
  }
}
