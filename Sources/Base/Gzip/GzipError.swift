/// Why bytes could not be inflated.
public enum GzipError: Error, Hashable, Sendable {
  /// They are not one complete gzip member.
  case malformed
  /// There would be more bytes than are allowed.
  case tooLong
}
