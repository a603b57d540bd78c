import Bluetooth
public import LunaCrypto

/// The 16 random bytes on the label of a tracker (PROTOCOL.md, 14).
public struct OnboardingCode: Equatable, Sendable {
  /// The number of bytes.
  public static let byteCount = 16

  /// The 16 bytes, wiped when nobody holds them any more.
  public let secret: SecretBytes

  /// A code of 16 bytes.
  ///
  /// - Returns: nil for any other number of bytes.
  public init?(_ secret: SecretBytes) {
    guard secret.count == OnboardingCode.byteCount else { return nil }
    self.secret = secret
  }

  /// The ESF of a tracker in factory state with this code: what an application that knows the code
  /// looks for (PROTOCOL.md, 7).
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer SHA-256.
  public func factoryHint() throws(CryptoError) -> ESF {
    var hash = try SHA256()
    let label = Array("luna/1/hint".utf8)
    hash.update(label.span)
    secret.withBytes { hash.update($0) }
    return ESF(value: UInt32(truncatingIfNeeded: hash.finalize().span.bigEndian(at: 0, count: 3)))
  }
}

extension OnboardingCode: CustomStringConvertible {
  /// Hides the bytes.
  public var description: String { "<onboarding code>" }
}

#if !hasFeature(Embedded)  // Nothing has a mirror on a device.
  extension OnboardingCode: CustomReflectable {
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
  }
#endif
