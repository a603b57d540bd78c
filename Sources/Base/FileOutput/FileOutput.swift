import Glibc

/// Files that a user names to be written.
///
/// Links are followed. Devices, pipes and sockets are written through, never replaced. An existing
/// file is left alone unless it may be replaced. `-` is refused: elsewhere that is standard output.
public enum FileOutput {
  /// Whether ``write(_:to:replacing:isSecret:)`` would refuse right away, for who has something to
  /// do before that cannot be taken back.
  public static func check(_ path: String, replacing: Bool) throws(FileOutputError) {
    let target = try Target(path)
    switch target.kind {
    case .special: break
    case .existing:
      guard replacing else { throw FileOutputError(EEXIST, path: path) }
      try checkDirectory(of: target, path)
    case .absent: try checkDirectory(of: target, path)
    }
  }

  /// Writes a file: an ordinary one complete or not at all, even when the machine stops (``FileDraft``).
  ///
  /// - Parameters:
  ///   - replacing: whether a file that is there may be overwritten.
  ///   - isSecret: whether only its owner may read it (mode 0600).
  public static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool, isSecret: Bool
  ) throws(FileOutputError) {
    let target = try Target(path)
    switch target.kind {
    case .special:
      let descriptor = try open(path, O_WRONLY, 0, path)
      let code = put(bytes, descriptor)
      close(descriptor)
      if code != 0 { throw FileOutputError(code, path: path) }
    case .existing, .absent:
      let draft = try FileDraft(
        target, path, replacing: replacing, isSecret: isSecret, spare: nil)
      try draft.write(bytes)
      try draft.install()
    }
  }

  /// Opens a file that is written piece by piece. One that is there keeps its contents: who has
  /// something to put in their place cuts it.
  ///
  /// - Returns: a file descriptor, which the caller closes.
  public static func open(_ path: String, replacing: Bool) throws(FileOutputError) -> Int32 {
    let target = try Target(path)
    switch target.kind {
    case .special: return try open(path, O_WRONLY, 0, path)
    case .existing where !replacing: throw FileOutputError(EEXIST, path: path)
    case .existing: return try open(target.path, O_WRONLY, 0, path)
    case .absent: return try open(target.path, O_WRONLY | O_CREAT | O_EXCL, 0o644, path)
    }
  }

  static func open(
    _ path: String, _ flags: Int32, _ mode: mode_t, _ name: String
  ) throws(FileOutputError) -> Int32 {
    while true {
      let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, mode)
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR else { throw FileOutputError(errno, path: name) }
    }
  }

  private static func checkDirectory(
    of target: Target, _ path: String
  ) throws(FileOutputError) {
    guard access(target.directory, W_OK | X_OK) == 0 else {
      throw FileOutputError(errno, path: path)
    }
  }

  /// Writes all bytes to a descriptor, which may be in non-blocking mode; returns the error number,
  /// 0 for none.
  package static func put(_ bytes: [UInt8], _ descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { put($0, descriptor) }
  }

  /// The same of bytes that lie elsewhere.
  package static func put(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int32 {
    let progress = descriptor == STDOUT_FILENO ? OutputProgress.ofThisProcess : nil
    progress?.begin()
    defer { progress?.end() }
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 {
        written += count
        progress?.advance()
      } else if count < 0, errno == EAGAIN {
        var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&query, 1, -1)
      } else if count < 0, errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
