/// A session that the program has begun for somebody whom it knows.
public struct NewSession: Sendable {
  /// What is known of it; the secret is not among that.
  public let session: Session
  /// What the browser has to send as the value of the cookie `luna-home`, or by https of `__Host-luna-home`. Who has
  /// it is signed in.
  public let secret: String
}
