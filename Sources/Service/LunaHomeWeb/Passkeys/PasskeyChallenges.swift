import Bluetooth
import JSONWebToken
import LunaCrypto

/// What authenticators are to sign: each is good once, for some minutes, and for whom it was made.
final class PasskeyChallenges: Sendable {
  /// Who wants a new passkey; nil for somebody who signs in.
  private struct Purpose: Sendable {
    let account: String?
  }

  private let waiting = OneTimeStore<Purpose>(patience: .seconds(300))

  /// A new one.
  ///
  /// - Parameter account: who wants a new passkey; nil for somebody who signs in.
  func make(for account: String?, at time: Timestamp) throws(CryptoError) -> String {
    let bytes: InlineArray<32, UInt8> = try SecureRandom.bytes()
    let text = String(
      decoding: Base64URL.encode(bytes.indices.map { bytes[$0] }), as: UTF8.self)
    waiting.put(Purpose(account: account), under: text, at: time)
    return text
  }

  /// Uses one up.
  ///
  /// - Returns: whether it was one, of this account.
  func use(_ text: String?, for account: String?, at time: Timestamp) -> Bool {
    guard let purpose = text.flatMap({ waiting.take($0, at: time) }) else { return false }
    return purpose.account == account
  }
}
