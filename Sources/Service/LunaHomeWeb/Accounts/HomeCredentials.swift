import WebAccess

/// What signing in is checked against.
struct HomeCredentials: Sendable {
  let account: HomeAccount
  /// nil for who has none yet.
  let password: PasswordHash?
}
