public import LunaCrypto

/// The key by which resolvable private addresses are made and resolved (Core Specification, Vol 3,
/// Part H, 2.2.2).
public struct IdentityResolvingKey: Equatable, Sendable {
  /// The number of bytes.
  public static let byteCount = 16

  /// The bytes, most significant first: as the ah function takes them and as tools print them.
  public let secret: SecretBytes

  /// - Returns: nil when there are not 16 bytes.
  public init?(_ secret: SecretBytes) {
    guard secret.count == IdentityResolvingKey.byteCount else { return nil }
    self.secret = secret
  }
}
