import Glibc
import Synchronization

@testable import LunaTracker

/// System calls of which the n-th fails, or after which the process is gone.
final class FailingFiles: FlashFiles {
  enum Failure: Sendable {
    /// The call fails, and so do all that follow.
    case error(Int32)
    /// Writes stop after half of the bytes, then the call fails.
    case short(Int32)
  }

  private let real = LinuxFlashFiles()
  private let count = Mutex(0)
  let failsAt: Int
  let failure: Failure

  init(failsAt: Int, _ failure: Failure) {
    self.failsAt = failsAt
    self.failure = failure
  }

  /// How many calls there were.
  var calls: Int { count.withLock { $0 } }

  private func next() -> Int32? {
    let number = count.withLock { count in
      count += 1
      return count
    }
    guard number >= failsAt else { return nil }
    return switch failure {
    case .error(let code): -code
    case .short(let code): -code
    }
  }

  func open(reading path: String) -> Int32 { real.open(reading: path) }
  func create(_ path: String) -> Int32 { next() ?? real.create(path) }
  func open(directory path: String) -> Int32 { next() ?? real.open(directory: path) }
  func read(_ descriptor: Int32, count: Int) -> (result: Int, bytes: [UInt8]) {
    real.read(descriptor, count: count)
  }

  func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    guard let code = next() else { return real.write(descriptor, bytes.prefix(50)) }
    if case .short = failure, calls == failsAt {
      return real.write(descriptor, bytes.prefix(bytes.count / 2))
    }
    return Int(code)
  }

  func sync(_ descriptor: Int32) -> Int32 { next() ?? real.sync(descriptor) }
  func rename(_ old: String, to new: String) -> Int32 { next() ?? real.rename(old, to: new) }
  func remove(_ path: String) -> Int32 { real.remove(path) }
  func close(_ descriptor: Int32) { real.close(descriptor) }
}
