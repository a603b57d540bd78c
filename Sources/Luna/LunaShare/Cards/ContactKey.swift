import Bluetooth
public import LunaCrypto
import LunaProtocol

/// The public key of a person with whom trackers are shared (SHARING.md, 2).
public struct ContactKey: Hashable, Sendable {
  /// The number of bytes.
  public static let byteCount = 32

  /// The bytes of an X25519 key.
  public let bytes: [UInt8]

  /// A key.
  ///
  /// - Returns: nil when there are not 32 bytes.
  public init?(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == ContactKey.byteCount else { return nil }
  }

  /// The key that belongs to a private key.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when that has not 32 bytes.
  public init(of privateKey: SecretBytes) throws(CryptoError) {
    let key = try X25519.publicKey(of: privateKey)
    bytes = key.indices.map { key[$0] }
  }

  /// What both read to each other, to know that the card came from the right person: 4 × 4 symbols for
  /// the first 80 bits of SHA-256("luna/1/card" | key).
  public func code() throws(CryptoError) -> String {
    let digest = try ContactKey.digest("luna/1/card", bytes)
    var text = ""
    for place in 0..<16 {
      if place > 0, place % 4 == 0 { text.append("-") }
      // Five bits from bit 5 * place.
      let bit = 5 * place
      let pair = UInt16(digest[bit / 8]) << 8 | UInt16(digest[bit / 8 + 1])
      text.append(OnboardingCode.symbol(Int(pair >> UInt16(11 - bit % 8) & 31)))
    }
    return text
  }

  /// How an envelope names it: the first 8 bytes of SHA-256("luna/1/share-kid" | enc | key). Who carries
  /// two envelopes cannot link them without the cards.
  public func identifier(encapsulated: some Sequence<UInt8>) throws(CryptoError) -> [UInt8] {
    Array(try ContactKey.digest("luna/1/share-kid", Array(encapsulated) + bytes).prefix(8))
  }

  private static func digest(_ label: String, _ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    let input = Array(label.utf8) + bytes
    let digest = try SHA256.digest(of: input.span)
    return digest.indices.map { digest[$0] }
  }
}
