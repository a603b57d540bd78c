/// A movement from one visit to the next.
struct Trip: Sendable {
  /// Its number, counted from 0.
  let id: Int
  /// When the first visit ended and the second began, s.
  let begin: Int
  let end: Int
  /// The places, by their numbers.
  let from: Int
  let to: Int
  /// How far from where it began it went, m.
  let metres: Double
  /// When the visit after it ended; nil while it goes on.
  var visitEnd: Int?
  /// Whether short lives were counted.
  var isCounted = false

  /// The slots that lie in it as a whole.
  var slots: Range<UInt32> {
    let first = UInt32((begin + Slots.length - 1) / Slots.length)
    return first..<max(first, UInt32(end / Slots.length))
  }

  /// The slots of the visit after it, up to a time.
  func visit(until now: Int) -> Range<UInt32> {
    let first = UInt32((end + Slots.length - 1) / Slots.length)
    return first..<max(first, UInt32((visitEnd ?? now) / Slots.length) + (visitEnd == nil ? 1 : 0))
  }
}
