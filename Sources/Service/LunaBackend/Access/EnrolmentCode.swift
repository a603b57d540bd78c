public import Bluetooth
import Diagnosis
import LunaCrypto
import LunaProtocol
import WebAccess

/// A code that a person types into a gateway: 16 random bytes as hexadecimal digits, in groups.
public struct EnrolmentCode: Sendable {
  /// The code as it is shown, once.
  public let text: String

  /// A new code.
  ///
  /// - Throws: ``StorageError`` when the system gives no randomness.
  public init() throws(StorageError) {
    do throws(CryptoError) {
      let bytes: InlineArray<16, UInt8> = try SecureRandom.bytes()
      let digits = Array(Hex.lower(bytes.span))
      text = stride(from: 0, to: digits.count, by: 8)
        .map { String(digits[$0..<$0 + 8]) }.joined(separator: "-")
    } catch {
      throw StorageError(.failed, error.description)
    }
  }

  /// Reads what somebody typed: hyphens, blanks and case do not matter.
  ///
  /// - Returns: nil when it is no code.
  public init?(_ text: String) {
    let digits = text.lowercased().filter { $0 != "-" && $0 != " " }
    guard let bytes = Hex.bytes(digits), bytes.count == 16 else { return nil }
    self.text = digits
  }

  /// What is kept of it.
  public func record(name: String, until end: Timestamp) throws(StorageError) -> EnrolmentRecord {
    EnrolmentRecord(digest: try digest(), name: name, expiresAt: end)
  }

  func digest() throws(StorageError) -> [UInt8] {
    try StorageError.unless(SecretDigest.of(text.filter { $0 != "-" }))
  }
}
