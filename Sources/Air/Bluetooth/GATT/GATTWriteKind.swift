/// How a value is written.
public enum GATTWriteKind: Hashable, Sendable {
  /// The peer answers; longer values than fit are sent as a long write (Core Specification, Vol 3,
  /// Part G, 4.9.3 and 4.9.4).
  case withResponse
  /// The peer does not answer; the value has to fit (MTU - 3).
  case withoutResponse
}
