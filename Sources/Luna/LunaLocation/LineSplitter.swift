/// Cuts a stream of bytes into lines. A line that is too long is left out whole.
struct LineSplitter: Sendable {
  private let limit: Int
  private var line: [UInt8] = []
  private var isTooLong = false

  init(limit: Int) { self.limit = limit }

  /// The lines that are complete now, without their ends.
  mutating func split(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      guard byte != UInt8(ascii: "\n") else {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if !isTooLong, !line.isEmpty { lines.append(line) }
        line.removeAll(keepingCapacity: true)
        isTooLong = false
        continue
      }
      if line.count < limit { line.append(byte) } else { isTooLong = true }
    }
    return lines
  }
}
