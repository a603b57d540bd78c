import Glibc
import Synchronization

@testable import LunaTracker

/// Flash during whose writing the power goes.
final class CutFiles: FlashFiles {
  /// Before the new content takes the place of the old, or right after.
  enum Moment: CaseIterable, Sendable { case before, after }

  private let files = LinuxFlashFiles()
  private let moment: Moment
  /// How many writes succeed before.
  private let count: Mutex<Int>

  init(_ moment: Moment, after count: Int = 0) {
    self.moment = moment
    self.count = Mutex(count)
  }

  func open(reading path: String) -> Int32 { files.open(reading: path) }
  func create(_ path: String) -> Int32 { files.create(path) }
  func open(directory path: String) -> Int32 { files.open(directory: path) }
  func read(_ descriptor: Int32, count: Int) -> (result: Int, bytes: [UInt8]) {
    files.read(descriptor, count: count)
  }
  func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    files.write(descriptor, bytes)
  }
  func sync(_ descriptor: Int32) -> Int32 { files.sync(descriptor) }
  func rename(_ old: String, to new: String) -> Int32 {
    let isCut = count.withLock { count in
      count -= 1
      return count < 0
    }
    guard isCut else { return files.rename(old, to: new) }
    if moment == .after { _ = files.rename(old, to: new) }
    return -EIO
  }
  // Where the power is gone, nobody removes anything.
  func remove(_ path: String) -> Int32 { -EIO }
  func close(_ descriptor: Int32) { files.close(descriptor) }
}
