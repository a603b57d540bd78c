/// Whether somebody is signed in.
public enum SignInState: Hashable, Sendable {
  /// Nobody.
  case signedOut
  /// Somebody.
  case signedIn(Identity)
  /// Somebody, but the credential cannot be renewed just now.
  case trouble(AccountError)
}

extension SignInState {
  /// Whether there is somebody.
  var isSignedIn: Bool { self != .signedOut }
}
