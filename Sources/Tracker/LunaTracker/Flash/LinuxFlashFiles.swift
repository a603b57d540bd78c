import Glibc

/// The system calls as they are.
struct LinuxFlashFiles: FlashFiles {
  func open(reading path: String) -> Int32 {
    // A pipe that somebody has put there is not waited for.
    result(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
  }

  func create(_ path: String) -> Int32 {
    result(Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600))
  }

  func open(directory path: String) -> Int32 {
    result(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  func read(_ descriptor: Int32, count: Int) -> (result: Int, bytes: [UInt8]) {
    var outcome = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      repeat {
        outcome = Glibc.read(descriptor, buffer.baseAddress, count)
      } while outcome < 0 && errno == EINTR
      if outcome < 0 { outcome = -Int(errno) }
      filled = max(0, outcome)
    }
    return (outcome, bytes)
  }

  func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { bytes in
      while true {
        let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 { return count }
        if errno != EINTR { return -Int(errno) }
      }
    }
  }

  func sync(_ descriptor: Int32) -> Int32 { result(fsync(descriptor)) }

  func rename(_ old: String, to new: String) -> Int32 { result(Glibc.rename(old, new)) }

  func remove(_ path: String) -> Int32 { result(unlink(path)) }

  func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  private func result(_ value: Int32) -> Int32 { value < 0 ? -errno : value }
}
