import Bluetooth
import WebAccess

/// A browser that is signed in, or is being.
struct HomeSession: Sendable {
  /// After so long without a request it ends.
  static let idle = Duration.seconds(30 * 86_400)
  /// How long the code may take after the password.
  static let codePatience = Duration.seconds(300)
  /// How many wrong codes are taken after the password.
  static let codeTries: Int64 = 5

  /// What lists call it: 16 digits of its digest.
  let id: String
  let account: String
  /// Whether the code of the second factor is still needed: then it opens nothing.
  let needsCode: Bool
  let createdAt: Timestamp
  /// When it was used last, within a minute.
  let seenAt: Timestamp
  /// What the browser called itself.
  let agent: String

  func isLive(at time: Timestamp) -> Bool {
    let patience = needsCode ? HomeSession.codePatience : HomeSession.idle
    return time < seenAt.advanced(by: patience)
  }
}
