/// Which side of TLS it is.
package enum TLSRole: Hashable, Sendable {
  /// Who connects.
  ///
  /// - Parameter asking: the name that the server is asked for, in the clear (SNI, RFC 6066, 3); nil for none.
  case client(TLSTrust, asking: String?)
  /// Who is connected to.
  case server(TLSIdentity)
}
