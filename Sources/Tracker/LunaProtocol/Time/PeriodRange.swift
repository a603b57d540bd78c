/// Periods from `first` to `last`, both included; none when `first` is above `last`.
public struct PeriodRange: Hashable, Sendable {
  /// The lowest period, counted from the Unix epoch (PROTOCOL.md, 3).
  public let first: UInt32
  /// The highest period, itself included.
  public let last: UInt32

  /// The periods from `first` to `last`.
  public init(first: UInt32, last: UInt32) {
    self.first = first
    self.last = last
  }

  /// Whether there is no period in it.
  public var isEmpty: Bool { first > last }

  /// The number of periods.
  public var count: Int { isEmpty ? 0 : Int(last) - Int(first) + 1 }

  /// Whether a period is in it.
  public func contains(_ period: UInt32) -> Bool { first <= period && period <= last }
}
