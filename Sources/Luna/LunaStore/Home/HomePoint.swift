public import LunaJSON

/// A value of a property, as it was kept.
public struct HomePoint: Hashable, Sendable {
  /// When, µs since 1970; where values of some time were put together, the beginning of that time.
  public let time: Int64
  /// The value; of numbers that were put together their mean, of others the last one.
  public let value: JSONValue

  /// A value at a time, µs since 1970.
  public init(time: Int64, value: JSONValue) {
    self.time = time
    self.value = value
  }
}
