package import Bluetooth

/// A program that waits for somebody to approve its sign-in.
package struct WaitingSignIn: Hashable, Sendable {
  package let code: UserCode
  /// What it calls itself.
  package let client: String
  package let scope: SignInScope
  /// Where it calls from.
  package let address: String?
  package let createdAt: Timestamp
  package let expiresAt: Timestamp
}
