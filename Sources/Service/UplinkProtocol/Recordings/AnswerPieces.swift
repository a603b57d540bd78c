/// What a server sends, piece by piece: an answer of a generator is never there as a whole.
package struct AnswerPieces: Sequence, IteratorProtocol {
  private static let size = 64 << 10

  private let payload: [UInt8]?
  private var generator: SplitMix64
  private var left: Int

  /// Those of an answer.
  package init(_ content: AnswerContent) {
    switch content {
    case .payload(let bytes):
      payload = bytes
      generator = SplitMix64(seed: 0)
    case .fill(_, let seed):
      payload = nil
      generator = SplitMix64(seed: seed)
    }
    left = content.count
  }

  /// The next piece; nil behind the last one.
  package mutating func next() -> [UInt8]? {
    guard left > 0 else { return nil }
    let count = Swift.min(left, AnswerPieces.size)
    defer { left -= count }
    if let payload { return Array(payload.suffix(left).prefix(count)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count {
      let word = generator.next()
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
      }
    }
    // Pieces are whole words but for the last one.
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
