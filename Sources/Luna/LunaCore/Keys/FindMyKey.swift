public import LunaCrypto

/// What recognises a tag that sends one key of Apple's Find My network for ever, as home-made ones do:
/// the private key whose public key is on the air (github.com/seemoo-lab/openhaystack).
public struct FindMyKey: Equatable, Sendable {
  /// The number of bytes of a scalar of P-224.
  public static let byteCount = 28

  /// The order n of P-224 (FIPS 186-4, D.1.2.2), most significant byte first.
  private static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x16, 0xA2,
    0xE0, 0xB8, 0xF0, 0x3E, 0x13, 0xDD, 0x29, 0x45, 0x5C, 0x5C, 0x2A, 0x3D,
  ]

  /// The private key d, 28 bytes, most significant first: 1 to n - 1.
  public let privateKey: SecretBytes

  /// - Returns: nil when the key has not 28 bytes, is zero, or is not below the order of P-224.
  public init?(_ privateKey: SecretBytes) {
    guard privateKey.count == FindMyKey.byteCount,
      privateKey.withBytes({ FindMyKey.isScalar($0) })
    else { return nil }
    self.privateKey = privateKey
  }

  /// Whether bytes are a number from 1 to n - 1. Takes constant time: n is subtracted.
  private static func isScalar(_ bytes: Span<UInt8>) -> Bool {
    var bits: UInt8 = 0
    var borrow = 0
    for index in (0..<byteCount).reversed() {
      bits |= bytes[index]
      borrow = (Int(bytes[index]) - Int(order[index]) - borrow) < 0 ? 1 : 0
    }
    return bits != 0 && borrow == 1
  }
}
