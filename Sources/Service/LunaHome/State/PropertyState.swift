/// A value, and the event that it may still owe.
struct PropertyState: Hashable, Sendable, Codable {
  var value: PropertyValue
  /// When it was last said, by boot time.
  var said: Int64
  /// The value of the last event, and when that was.
  var told: PropertyValue
  var toldAt: Int64
  /// A change that waits because the last one was less than a second ago.
  var owes = false
  /// The chain of the rule that has set it, and when.
  var chain: [String] = []
  var setAt: Int64?
}
