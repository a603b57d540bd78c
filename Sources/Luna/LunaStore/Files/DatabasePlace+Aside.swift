import Glibc
import LunaCore
import SQLite

extension DatabasePlace {
  /// How many files of each kind are kept.
  private static let kept = 9

  /// Gives the file, with its log, another name beside it: that of a kind, and a number. The last number is
  /// given again.
  ///
  /// - Returns: the path of the file now.
  func setAside(as kind: String) throws(DeviceStoreError) -> String {
    let name = "\(path).\(kind)-"
    let free = (1..<DatabasePlace.kept).first { access("\(name)\($0)", F_OK) != 0 }
    let other = "\(name)\(free ?? DatabasePlace.kept)"
    try move(path, to: other)
    for companion in ["-wal", "-shm"] where rename(path + companion, other + companion) != 0 {
      // One of who had this number before belongs to no file any more.
      unlink(other + companion)
    }
    return other
  }

  /// Gives a file in the directory another name there.
  func move(_ path: String, to other: String) throws(DeviceStoreError) {
    guard rename(path, other) == 0 else { throw .system("rename", path, errno) }
    // A name is on the disk when its directory is.
    let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Does something while no other process does so in this directory.
  func alone<Result>(
    _ body: () throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open", directory, errno) }
    defer {
      flock(descriptor, LOCK_UN)  // see ExclusiveLock
      close(descriptor)
    }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }
}
