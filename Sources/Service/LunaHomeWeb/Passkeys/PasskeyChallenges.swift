import Bluetooth
import JSONWebToken
import LunaCrypto
import Synchronization

/// What authenticators are to sign: each is good once, for some minutes, and for whom it was made.
final class PasskeyChallenges: Sendable {
  private struct Waiting {
    /// Who wants a new passkey; nil for somebody who signs in.
    let account: String?
    let until: Timestamp
  }

  private static let patience = Duration.seconds(300)
  /// Beyond these the oldest are good no more.
  private static let most = 1_000

  private let waiting = Mutex<[String: Waiting]>([:])

  /// A new one.
  ///
  /// - Parameter account: who wants a new passkey; nil for somebody who signs in.
  func make(for account: String?, at time: Timestamp) throws(CryptoError) -> String {
    let bytes: InlineArray<32, UInt8> = try SecureRandom.bytes()
    let text = String(
      decoding: Base64URL.encode(bytes.indices.map { bytes[$0] }), as: UTF8.self)
    waiting.withLock { waiting in
      if waiting.count >= PasskeyChallenges.most {
        waiting = waiting.filter { time < $0.value.until }
        let oldest = waiting.min { $0.value.until < $1.value.until }?.key
        if waiting.count >= PasskeyChallenges.most, let oldest { waiting[oldest] = nil }
      }
      waiting[text] = Waiting(
        account: account, until: time.advanced(by: PasskeyChallenges.patience))
    }
    return text
  }

  /// Uses one up.
  ///
  /// - Returns: whether it was one, of this account.
  func use(_ text: String?, for account: String?, at time: Timestamp) -> Bool {
    guard let text else { return false }
    return waiting.withLock { waiting in
      guard let one = waiting.removeValue(forKey: text) else { return false }
      return one.account == account && time < one.until
    }
  }
}
