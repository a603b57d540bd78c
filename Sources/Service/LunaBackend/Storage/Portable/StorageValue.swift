/// What a column or a parameter of a statement holds.
public enum StorageValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// A whole number; times are microseconds since 1970.
  case integer(Int64)
  /// A number with a fraction.
  case real(Double)
  /// A text without zero bytes, which PostgreSQL does not take.
  case text(String)
  /// Bytes.
  case bytes([UInt8])

  /// A text, or nothing.
  public static func text(_ text: String?) -> StorageValue { text.map { .text($0) } ?? .null }
  /// A number, or nothing.
  public static func integer(_ number: Int64?) -> StorageValue {
    number.map { .integer($0) } ?? .null
  }
  /// Bytes, or nothing.
  public static func bytes(_ bytes: [UInt8]?) -> StorageValue { bytes.map { .bytes($0) } ?? .null }
}
