import Glibc
import Synchronization

/// A file that is written beside the one it is to become, and takes its place when it is whole.
///
/// Until ``install()`` the file that is there stays as it is; dropped before, or left by a process that
/// was killed, a draft changes nothing.
public struct FileDraft: ~Copyable, Sendable {
  /// The file to write to, empty. Others may read it only when they may read what it becomes.
  public let path: String
  private let target: Target
  private let name: String
  private let isSecret: Bool

  /// Makes an empty draft.
  ///
  /// - Parameters:
  ///   - name: the file to make. Links are followed.
  ///   - replacing: whether a file that is there may be replaced.
  ///   - isSecret: whether others may not read it.
  ///   - spare: the directory of the draft when `name` is a device, a pipe or a socket, which have no
  ///     place beside them; nil for that of temporary files.
  public init(
    of name: String, replacing: Bool, isSecret: Bool, spare: String? = nil
  ) throws(FileOutputError) {
    try self.init(Target(name), name, replacing: replacing, isSecret: isSecret, spare: spare)
  }

  init(
    _ target: Target, _ name: String, replacing: Bool, isSecret: Bool, spare: String?
  ) throws(FileOutputError) {
    guard target.kind != .existing || replacing else { throw FileOutputError(EEXIST, path: name) }
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let directory = target.kind == .special ? spare ?? temporary : target.directory
    let path = "\(directory)/.luna-\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
    let mode: mode_t = isSecret || target.kind != .absent ? 0o600 : 0o644
    let descriptor = try FileDraft.make(path, mode, name)
    // Where they cannot be kept, that is said before anything is done for the file's sake.
    let code = FileDraft.keepOwner(of: target, descriptor)
    close(descriptor)
    guard code == 0 else {
      FileDraft.remove(path)
      throw FileOutputError(code, path: name)
    }
    self.path = path
    self.target = target
    self.name = name
    self.isSecret = isSecret
  }

  deinit { FileDraft.remove(path) }

  /// Where they are; nil when none may be made any more.
  private static let there = Mutex<Set<String>?>([])

  /// Makes an empty file and notes it, in one: an end that comes between the two would leave it.
  private static func make(
    _ path: String, _ mode: mode_t, _ name: String
  ) throws(FileOutputError) -> Int32 {
    try there.withLock { drafts throws(FileOutputError) in
      guard drafts != nil else { throw FileOutputError(ECANCELED, path: name) }
      // What is not ours is not for anybody here to unlink.
      let descriptor = try FileOutput.open(path, O_WRONLY | O_CREAT | O_EXCL, mode, name)
      drafts?.insert(path)
      return descriptor
    }
  }

  private static func remove(_ path: String) {
    unlink(path)
    _ = there.withLock { $0?.remove(path) }
  }

  /// Removes all drafts of this process, which ends without dropping them: nobody would know what they are.
  /// None is made any more.
  package static func discardAll() {
    for path in there.withLock({ $0.take() }) ?? [] { unlink(path) }
  }

  /// Sees to it that there is room for so many bytes, for who does something that cannot be taken back
  /// before it knows what to write.
  public func reserve(_ count: Int) throws(FileOutputError) {
    try write([UInt8](repeating: 0, count: count), isRoom: true)
  }

  /// Writes all that the file is to hold.
  public func write(_ bytes: [UInt8]) throws(FileOutputError) {
    try write(bytes, isRoom: false)
  }

  private func write(_ bytes: [UInt8], isRoom: Bool) throws(FileOutputError) {
    let descriptor = try FileOutput.open(path, O_WRONLY, 0, name)
    var code = FileOutput.put(bytes, descriptor)
    // What was reserved is used before it is given back.
    if code == 0, !isRoom, ftruncate(descriptor, bytes.count) != 0 { code = errno }
    // A file system may find out only now.
    if code == 0, isRoom, fsync(descriptor) != 0 { code = errno }
    if Glibc.close(descriptor) != 0, code == 0 { code = errno }
    if code != 0 { throw FileOutputError(code, path: name) }
  }

  /// Puts the draft on the disk and in its place, once; a device, a pipe or a socket gets its bytes.
  ///
  /// A file that is replaced passes its owner, group and mode on; but others may not read a secret.
  ///
  /// - Throws: what was there is unchanged then, but for what a device has got.
  public func install() throws(FileOutputError) {
    let descriptor = try FileOutput.open(path, O_RDWR, 0, name)
    var code: Int32 = 0
    if target.kind == .special {
      code = copy(descriptor)
    } else {
      code = keepMode(descriptor)
      if code == 0, fsync(descriptor) != 0 { code = errno }
    }
    if Glibc.close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, target.kind != .special { code = place() }
    if code != 0 { throw FileOutputError(code, path: name) }
    if target.kind != .special { syncDirectory() }
  }

  /// Owner and group of the file that is there.
  private static func keepOwner(of target: Target, _ descriptor: Int32) -> Int32 {
    var (old, new) = (stat(), stat())
    guard target.kind == .existing, stat(target.path, &old) == 0 else { return 0 }
    guard fstat(descriptor, &new) == 0 else { return errno }
    guard old.st_uid != new.st_uid || old.st_gid != new.st_gid else { return 0 }
    return fchown(descriptor, old.st_uid, old.st_gid) == 0 ? 0 : errno
  }

  /// The mode of the file that is there; only now, since it may forbid writing.
  private func keepMode(_ descriptor: Int32) -> Int32 {
    var old = stat()
    guard target.kind == .existing, stat(target.path, &old) == 0 else { return 0 }
    let mode = old.st_mode & 0o7777
    return fchmod(descriptor, isSecret && mode & 0o007 != 0 ? 0o600 : mode) == 0 ? 0 : errno
  }

  /// Gives the draft its name. A file that somebody made meanwhile is not overwritten.
  private func place() -> Int32 {
    if target.kind == .absent {
      if link(path, target.path) == 0 { return 0 }
      // Some file systems have no hard links.
      guard errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK else { return errno }
    }
    return rename(path, target.path) == 0 ? 0 : errno
  }

  /// A name is on the disk when its directory is. It has its place all the same where that cannot be had.
  private func syncDirectory() {
    let descriptor = Glibc.open(target.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// To what has no place for a draft.
  private func copy(_ descriptor: Int32) -> Int32 {
    let output = open(target.path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard output >= 0 else { return errno }
    defer { Glibc.close(output) }
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { return count == 0 ? 0 : errno }
      let code = FileOutput.put(Array(piece[..<count]), output)
      if code != 0 { return code }
    }
  }
}
