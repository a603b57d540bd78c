public import Bluetooth

/// Somebody in a ``VirtualRoom`` who advertises.
public protocol VirtualAdvertiser: Sendable {
  /// When it is heard next, µs since the room was opened; never less than before.
  var due: Int64 { get }

  /// What is heard at ``due``, nil when it is silent then; moves on to what comes next. The room adds
  /// the power, and the time.
  ///
  /// - Parameter isActive: whether scan responses are asked for.
  mutating func next(isActive: Bool) -> AdvertisingReport?
}
