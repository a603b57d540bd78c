public import Bluetooth

/// How many were lost for one reason, and when.
public struct LossCount: Hashable, Sendable {
  /// How many, 0 or more; no higher than a number can say.
  public var count: Int
  /// When the first was lost; nil when that was not written down.
  public var since: Timestamp?
  /// When the last was lost.
  public var last: Timestamp?

  /// A number of losses.
  public init(_ count: Int, since: Timestamp? = nil, last: Timestamp? = nil) {
    self.count = count
    self.since = since
    self.last = last
  }

  /// Counts more of them: as many as a number can say, since a capture or a damaged file may tell of any.
  package mutating func add(_ number: Int) {
    count = count.saturatingAdding(number)
  }

  /// Counts more of them.
  public mutating func add(_ number: Int, at time: Timestamp) {
    add(number)
    since = since ?? time
    last = time
  }
}
