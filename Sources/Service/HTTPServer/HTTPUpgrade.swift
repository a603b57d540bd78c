/// The end of HTTP on a connection, from where another protocol is spoken (RFC 9110, 7.8).
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
