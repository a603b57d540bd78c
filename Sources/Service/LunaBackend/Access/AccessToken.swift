public import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import WebAccess

/// A token as its holder has it: 32 random bytes behind a word for those who find one by chance.
public struct AccessToken: Sendable {
  /// What it is for.
  public let role: TokenRole
  /// The text that its holder sends. Shown once; only a digest is kept.
  public let text: String

  /// A new token.
  ///
  /// - Throws: ``StorageError`` when the system gives no randomness.
  public init(_ role: TokenRole) throws(StorageError) {
    self.role = role
    do throws(CryptoError) {
      text = try TokenText.make(role.rawValue)
    } catch {
      throw StorageError(.failed, error.description)
    }
  }

  /// Reads a token that somebody presents.
  ///
  /// - Returns: nil when it is none.
  public init?(_ text: String) {
    guard
      let role = TokenRole.allCases.first(where: { TokenText.isToken(text, of: $0.rawValue) })
    else { return nil }
    self.role = role
    self.text = text
  }

  /// SHA-256 of the text.
  func digest() throws(StorageError) -> [UInt8] { try StorageError.unless(SecretDigest.of(text)) }

  /// What is kept of a new token.
  ///
  /// - Parameter rights: what a token of an admin may do.
  public func record(
    name: String, at time: Timestamp, rights: AccountRole? = nil
  ) throws(StorageError) -> TokenRecord {
    let digest = try digest()
    return TokenRecord(
      id: AccessToken.id(digest), role: role, name: name, digest: digest, createdAt: time,
      revokedAt: nil, rights: rights)
  }

  /// What lists and logs call a token with a digest.
  static func id(_ digest: [UInt8]) -> String { Hex.lower(digest.prefix(6)) }
}
