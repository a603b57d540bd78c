import TrackerBoard

/// Two pages of NOR flash: a write only clears bits, an erase sets them all. The power can go after any step: a byte
/// that is written, or a kilobyte that is erased.
final class SimulatedFlash: FlashPages {
  let pageSize: Int
  var bytes: [[UInt8]]
  private(set) var erases = [0, 0]
  private(set) var writes = 0
  /// Places that do not keep what is written, by page and offset.
  var worn: Set<[Int]> = []
  /// After so many steps the power is gone; nil for never.
  var stepsLeft: Int?

  /// As few places as a log takes.
  init(pageSize: Int = 12_800) {
    self.pageSize = pageSize
    bytes = [[UInt8]](repeating: [UInt8](repeating: 0xFF, count: pageSize), count: 2)
  }

  /// The same content in another flash.
  var copy: SimulatedFlash {
    let copy = SimulatedFlash(pageSize: pageSize)
    copy.bytes = bytes
    return copy
  }

  var isCut: Bool { stepsLeft == 0 }

  private func takeStep() -> Bool {
    guard let left = stepsLeft else { return true }
    guard left > 0 else { return false }
    stepsLeft = left - 1
    return true
  }

  func read(_ page: Int, at offset: Int, count: Int) -> [UInt8] {
    Array(bytes[page][offset..<offset + count])
  }

  func write(_ new: [UInt8], to page: Int, at offset: Int) {
    writes += 1
    for (index, byte) in new.enumerated() {
      guard takeStep() else { return }
      bytes[page][offset + index] &= byte
    }
    if worn.contains([page, offset]) { bytes[page][offset] = 0 }
  }

  func erase(_ page: Int) {
    erases[page] += 1
    for start in stride(from: 0, to: pageSize, by: 1024) {
      guard takeStep() else { return }
      for index in start..<min(start + 1024, pageSize) { bytes[page][index] = 0xFF }
    }
  }

  /// Whether some bytes stand anywhere.
  func contains(_ wanted: [UInt8]) -> Bool {
    bytes.contains { page in
      page.indices.contains { page[$0] == wanted.first && page[$0...].starts(with: wanted) }
    }
  }
}
