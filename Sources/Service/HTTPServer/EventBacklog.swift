/// Bytes that wait for a client. The pieces are shared with the streams that got the same.
struct EventBacklog {
  private var pieces: [[UInt8]] = []
  /// Where the first piece goes on.
  private var start = 0
  private(set) var byteCount = 0

  mutating func append(_ bytes: [UInt8]) {
    pieces.append(bytes)
    byteCount += bytes.count
  }

  mutating func drop() { self = EventBacklog() }

  /// Drops the pieces of which nothing was taken yet.
  mutating func dropUnbegun() {
    guard start > 0, let first = pieces.first else { return drop() }
    pieces = [first]
    byteCount = first.count - start
  }

  /// Takes as many bytes as there are and fit.
  ///
  /// - Returns: how many.
  mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    var used = 0
    while used < pieces.count, count < buffer.count {
      let part = pieces[used][start...].prefix(buffer.count - count)
      UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: part)
      count += part.count
      start += part.count
      if start == pieces[used].count {
        used += 1
        start = 0
      }
    }
    pieces.removeFirst(used)
    byteCount -= count
    return count
  }
}
