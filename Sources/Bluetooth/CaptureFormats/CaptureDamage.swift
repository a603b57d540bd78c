/// What is wrong with a place in a capture file.
public enum CaptureDamage: UInt8, CaseIterable, Sendable {
  /// The file ends within a record, or within the header of one.
  case truncated
  /// A record states a length that cannot be.
  case implausibleLength
}
