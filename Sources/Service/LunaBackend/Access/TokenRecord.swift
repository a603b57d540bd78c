public import Bluetooth
import WebAccess

/// What is kept of a token.
public struct TokenRecord: Hashable, Sendable {
  /// What lists and logs call it: 12 digits of its digest.
  public let id: String
  /// What it is for.
  public let role: TokenRole
  /// Who holds it: a name as ``isName(_:)`` takes it.
  public let name: String
  /// SHA-256 of its text, 32 bytes.
  public let digest: [UInt8]
  /// When it was made.
  public let createdAt: Timestamp
  /// Since when it is no longer good.
  public let revokedAt: Timestamp?
  /// What a token of an admin may do; nil for others.
  public let rights: AccountRole?

  /// A record.
  ///
  /// - Parameter rights: of a token of an admin; where it is nil, it may look only.
  public init(
    id: String, role: TokenRole, name: String, digest: [UInt8], createdAt: Timestamp,
    revokedAt: Timestamp?, rights: AccountRole? = nil
  ) {
    self.id = id
    self.role = role
    self.name = name
    self.digest = digest
    self.createdAt = createdAt
    self.revokedAt = revokedAt
    self.rights = role == .admin ? rights ?? .viewer : nil
  }

  /// How many tokens of one role and name are live at most: the old and the new one of a rotation.
  public static let liveLimit = 2

  /// Whether a name can be given: 1 to 64 letters, digits, dots, hyphens and underscores.
  public static func isName(_ text: String) -> Bool {
    AccountRule.isWord(text)
  }
}
