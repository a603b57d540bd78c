/// A version as DULT writes it: four bytes, revision, minor, and two of major.
public struct DULTVersion: Hashable, Sendable, CustomStringConvertible {
  /// The major version, 0 to 65535.
  public let major: UInt16
  /// The minor version, 0 to 255.
  public let minor: UInt8
  /// The revision, 0 to 255.
  public let revision: UInt8

  /// - Returns: nil when there are not four bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 else { return nil }
    revision = bytes[0]
    minor = bytes[1]
    major = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
  }

  /// As `1.0.0`.
  public var description: String { "\(major).\(minor).\(revision)" }
}
