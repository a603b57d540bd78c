/// A mail to one address, ready to be sent.
package struct Mail: Sendable {
  /// Where the server is, as `smtp://HOST:PORT` or `smtps://HOST:PORT`.
  package let url: String
  /// Whether nothing is said in the clear.
  package let isEncrypted: Bool
  /// The address that it comes from.
  package let from: String
  /// The address that it goes to.
  package let to: String
  /// As whom the server is spoken to; nil for nobody.
  package let user: String?
  /// Head and text, with the line ends of mail.
  package let message: [UInt8]

  package init(
    url: String, isEncrypted: Bool, from: String, to: String, user: String?, message: [UInt8]
  ) {
    self.url = url
    self.isEncrypted = isEncrypted
    self.from = from
    self.to = to
    self.user = user
    self.message = message
  }
}
