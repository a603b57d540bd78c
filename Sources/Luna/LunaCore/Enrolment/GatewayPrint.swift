import Bluetooth
public import LunaCrypto

/// What is shown of a gateway's public key: its first 16 bytes of SHA-256.
public struct GatewayPrint: Hashable, Sendable, CustomStringConvertible {
  /// The first 16 bytes of SHA-256 of the public key.
  public let bytes: [UInt8]

  /// One that stands for none.
  package static let zero = GatewayPrint(uncheckedBytes: [UInt8](repeating: 0, count: 16))

  private init(uncheckedBytes: [UInt8]) { bytes = uncheckedBytes }

  /// A print of 16 bytes; nil for another number.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// The print that 32 hexadecimal digits say, in either case; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Hex.bytes(text) else { return nil }
    self.init(bytes)
  }

  /// The print of a public key.
  public init(publicKey: [UInt8]) throws(CryptoError) {
    let digest = try SHA256.digest(of: publicKey.span)
    bytes = (0..<16).map { digest[$0] }
  }

  /// 32 hexadecimal digits in lower case.
  public var description: String { Hex.lower(bytes) }

  /// The `id` of the record: the first 8 bytes of SHA-256("luna gateway" ‖ print).
  public var id: String {
    let message = Array(["luna", "gateway"].joined(separator: " ").utf8) + bytes
    // SHA-256 was there when the first print was made.
    guard let digest = try? SHA256.digest(of: message.span) else { return "" }
    return Hex.lower((0..<8).map { digest[$0] })
  }

  /// The name of the gateway's tokens.
  public var key: String { "gw-" + id }
}
