/// What an operation of an ``ATTClient`` came to.
public enum ATTOutcome: Hashable, Sendable {
  /// It was done.
  case done
  /// What was read.
  case value([UInt8])
  /// What the peer offers.
  case attributes(ATTAttributes)
}
