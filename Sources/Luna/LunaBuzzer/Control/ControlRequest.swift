public import LunaProtocol

/// What a tracker is to be told.
public enum ControlRequest: Hashable, Sendable {
  /// One of these packages, made from afar: that of the period on air.
  case deferred([ControlPackage])
  /// A command of the owner, who is near: the package is made when the connection is there.
  case interactive(ControlCommand, argument: UInt16)

  /// Whether telling it twice is the same as once. A deferred package is executed once by its
  /// counter; the commands of an owner leave the same behind, but for a reset: after it nobody knows
  /// the keys any more.
  var isRepeatable: Bool { self != .interactive(.factoryReset, argument: 0) }
}
