/// The answer to Read Advertisement Monitor Features.
struct MgmtMonitorFeatures: Hashable, Sendable {
  /// Whether the controller itself compares advertisements with the patterns, and so keeps those
  /// that do not match to itself.
  let offloadsPatterns: Bool
  /// The monitors that are registered, by anybody.
  let handles: [UInt16]

  /// Reads the return parameters.
  ///
  /// - Returns: nil when they are too short.
  init?(_ parameters: [UInt8]) {
    // supported 4, enabled 4, handles at most 2, patterns at most 1, handles 2 + 2 each
    guard parameters.count >= 13 else { return nil }
    offloadsPatterns = parameters[0] & 1 != 0
    handles = MgmtPacket.list(parameters, at: 11)
  }
}
