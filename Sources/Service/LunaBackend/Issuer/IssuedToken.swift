import Bluetooth
import Diagnosis
import LunaCrypto
import LunaProtocol
import WebAccess

/// A token of the own issuer as its holder has it. Only digests of it are kept.
struct IssuedToken: Sendable {
  /// What it is for.
  enum Kind: String, Sendable {
    /// It is shown with requests.
    case access
    /// The next one is fetched with it. It begins with the family it is of, so that one that was used long
    /// ago is known as such without keeping all of them.
    case refresh
    /// A program asks with it whether its code was approved.
    case device
  }

  /// How many bytes name a family.
  private static let familyCount = 16
  private static let secretCount = 32

  let kind: Kind
  let text: String
  /// Which family a token to refresh is of; empty for others.
  let family: String

  private static func prefix(_ kind: Kind) -> String { "luna-\(kind.rawValue)-" }

  /// A new token; for one to refresh, of a family.
  init(_ kind: Kind, family: String = "") throws(StorageError) {
    self.kind = kind
    self.family = kind == .refresh ? family : ""
    text =
      IssuedToken.prefix(kind) + self.family
      + (try IssuedToken.random(IssuedToken.secretCount))
  }

  /// Reads a token that somebody presents.
  ///
  /// - Returns: nil when it is none of this kind.
  init?(_ kind: Kind, _ text: String) {
    let prefix = IssuedToken.prefix(kind)
    let digits = text.dropFirst(prefix.count)
    let familyCount = kind == .refresh ? IssuedToken.familyCount : 0
    guard text.hasPrefix(prefix), let bytes = Hex.bytes(digits),
      bytes.count == familyCount + IssuedToken.secretCount, digits == Hex.lower(bytes)
    else { return nil }
    self.kind = kind
    self.text = text
    family = String(digits.prefix(familyCount * 2))
  }

  /// A new name of a family.
  static func newFamily() throws(StorageError) -> String { try random(familyCount) }

  /// What is kept of it.
  func digest() throws(StorageError) -> [UInt8] { try StorageError.unless(SecretDigest.of(text)) }

  private static func random(_ count: Int) throws(StorageError) -> String {
    do throws(CryptoError) {
      return try SecureRandom.secret(count: count).withBytes { Hex.lower($0) }
    } catch {
      throw StorageError(.failed, error.description)
    }
  }
}
