/// The counter of control packages (PROTOCOL.md, 12.1).
public enum ControlCounter {
  /// The largest counter that a tracker takes.
  public static let largest: UInt32 = 0xFFFF_FFFE

  /// The counter of the next command.
  ///
  /// - Parameters:
  ///   - lastIssued: the last counter that the owner gave; 0 when none.
  ///   - unixTime: the owner's time, Unix s.
  /// - Returns: nil when the counters are used up.
  public static func next(after lastIssued: UInt32, unixTime: UInt32) -> UInt32? {
    guard lastIssued < largest else { return nil }
    return min(max(lastIssued + 1, unixTime), largest)
  }
}
