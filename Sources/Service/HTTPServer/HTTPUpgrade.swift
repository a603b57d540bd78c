/// The end of HTTP on a connection, from where another protocol is spoken (RFC 9110, 7.8).
///
/// Under TLS it is for few and short messages. libmicrohttpd (0.9.75) hands them on between the connection and who has
/// taken it, and has no memory left for that, as the head of its answer has taken all that the connection may have: so
/// what is sent goes four bytes at a time, each four in a record of 26, whatever is written at once. No option gives it
/// more. What has to be whole is sent in the bodies of answers.
package struct HTTPUpgrade: Sendable {
  /// The protocol, as in the header `Upgrade`.
  let name: String
  /// Takes the connection.
  let taken: @Sendable (UpgradedConnection) -> Void

  /// An upgrade.
  ///
  /// - Parameters:
  ///   - name: the protocol, which the client must have offered.
  ///   - taken: is given the connection when the answer is on its way, on a thread that must not wait. A client
  ///     that goes away before is never told of.
  package init(to name: String, taken: @escaping @Sendable (UpgradedConnection) -> Void) {
    self.name = name
    self.taken = taken
  }
}
