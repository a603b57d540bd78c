package import Bluetooth

/// A person who may sign in.
package struct Account: Hashable, Sendable {
  /// What it is called, for good.
  package let name: String
  /// What it may do.
  package let role: AccountRole
  /// When it was made.
  package let createdAt: Timestamp
  /// Whether signing in takes a code as well.
  package let hasSecondFactor: Bool
  /// Whether it has a password or signs in elsewhere; otherwise it waits for its invitation.
  package let canSignIn: Bool
}
