import Bluetooth
public import LunaCrypto

/// The 32 bytes that onboarding agrees on, from which all keys of a tracker come (PROTOCOL.md, 3).
public struct MasterKey: Equatable, Sendable {
  /// The number of bytes.
  public static let byteCount = 32

  /// The 32 bytes, wiped when nobody holds them any more.
  public let secret: SecretBytes

  /// A key of 32 bytes. The caller wipes its own copy.
  public init(bytes: InlineArray<32, UInt8>) {
    secret = SecretBytes(copying: bytes.span)
  }

  /// A key of 32 bytes.
  ///
  /// - Returns: nil for any other number of bytes.
  public init?(_ secret: SecretBytes) {
    guard secret.count == MasterKey.byteCount else { return nil }
    self.secret = secret
  }

  /// Reads 64 hexadecimal digits.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    guard var bytes = Hex.bytes(text) else { return nil }
    defer { wipe(&bytes) }
    self.init(SecretBytes(copying: bytes.span))
  }

  /// 64 hexadecimal digits in lower case; keep them out of logs.
  public var revealed: String { secret.withBytes { Hex.lower($0) } }
}

extension MasterKey: CustomStringConvertible {
  /// Hides the bytes.
  public var description: String { "<master key>" }
}

#if !hasFeature(Embedded)  // Nothing has a mirror on a device.
  extension MasterKey: CustomReflectable {
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
  }
#endif
