package import Bluetooth

/// A person, or with a token a program, that may use a home.
package struct HomeAccount: Hashable, Sendable {
  /// What it is called, for good.
  package let name: String
  /// What it may do.
  package let role: HomeRole
  /// What a guest may; for others it means nothing.
  package let rights: [HomeGuestRight]
  /// Until when it may; nil for ever.
  package let until: Timestamp?
  /// When it was made.
  package let createdAt: Timestamp
  /// Whether signing in takes a code as well.
  package let hasSecondFactor: Bool
  /// Whether it has a password; otherwise it waits for its invitation.
  package let canSignIn: Bool
}
