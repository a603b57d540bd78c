public import Diagnosis

/// Why bytes could not be inflated.
public enum GzipError: Diagnosed, Hashable {
  /// They are not one complete gzip member.
  case malformed
  /// There would be more bytes than are allowed.
  case tooLong

  /// What is wrong with compressed data.
  public var diagnosis: Diagnosis {
    Diagnosis("the compressed data cannot be used (\(self))")
  }
}
