/// Some of the bytes of a field: `[4:2]` are two from the fifth on, `[4]` is the fifth, `[4:]` all
/// from there on, `[:2]` the first two. An offset below zero counts from the end.
struct ByteRange: Sendable, Equatable {
  let offset: Int
  /// How many; nil for all that follow.
  let count: Int?

  /// The bytes in a field of `total`; nil where they are not all there.
  func bounds(in total: Int) -> Range<Int>? {
    let start = offset < 0 ? total + offset : offset
    let end = count.map { start + $0 } ?? total
    guard start >= 0, start < end, end <= total else { return nil }
    return start..<end
  }
}
