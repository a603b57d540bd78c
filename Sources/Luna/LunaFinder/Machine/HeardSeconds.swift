/// In which seconds somebody was heard: the first one, the last one, and how many. It is small, since
/// there can be hundreds of thousands.
struct HeardSeconds: Hashable, Sendable {
  private let first: UInt32
  private var last: UInt32
  private(set) var count: UInt16 = 1

  init(at elapsed: Duration) {
    first = HeardSeconds.second(elapsed)
    last = first
  }

  /// Which second it is.
  static func second(_ elapsed: Duration) -> UInt32 { UInt32(clamping: elapsed.components.seconds) }

  /// - Returns: whether it was not heard yet in this second.
  mutating func hear(at elapsed: Duration) -> Bool {
    let second = HeardSeconds.second(elapsed)
    guard second > last else { return false }
    last = second
    if count < .max { count += 1 }
    return true
  }

  /// Who goes first when those do who have been heard for longest.
  var rankBySpan: UInt64 { UInt64(last - first) << 16 | UInt64(count) }

  /// Who goes first when those do who were heard in the most seconds.
  var rankByCount: UInt64 { UInt64(count) << 32 | UInt64(last - first) }
}
