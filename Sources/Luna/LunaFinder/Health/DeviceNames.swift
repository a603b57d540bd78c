import Bluetooth
public import LunaCrypto

/// Gives pseudonyms to advertisers, under a key that no other gateway has and that never leaves this one.
public struct DeviceNames: Sendable {
  /// The bytes of a key.
  public static let keyCount = 32
  private static let byteCount = 8

  private let key: SecretBytes

  /// Pseudonyms under a key.
  public init(key: SecretBytes) { self.key = key }

  /// The pseudonym of an advertiser.
  func name(_ identity: DeviceCensus.Identity) throws(CryptoError) -> String {
    var hash = try key.withBytes { key throws(CryptoError) in try HMACSHA256(key: key) }
    let message =
      Array("luna device".utf8) + [identity.isPublic ? 0 : 1] + identity.address.littleEndianBytes
    let code = hash.code(for: message.span)
    return Hex.lower((0..<DeviceNames.byteCount).map { code[$0] })
  }
}
