public import Bluetooth

/// Who is signed in, as far as the issuer says. Not verified: servers check tokens by themselves.
public struct Identity: Hashable, Sendable {
  /// Who says so: the URL of the issuer.
  public let issuer: String
  /// The program that is signed in.
  public let clientID: String
  /// The account at the issuer; nil where it does not tell.
  public let subject: String?
  /// What the token is for.
  public let scope: String?
  /// Until when the access token holds; nil where the issuer does not tell.
  public let expiresAt: Timestamp?

  /// Who a program says is signed in, in the words of the issuer.
  public init(
    issuer: String, clientID: String, subject: String? = nil, scope: String? = nil,
    expiresAt: Timestamp? = nil
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.subject = subject
    self.scope = scope
    self.expiresAt = expiresAt
  }
}
