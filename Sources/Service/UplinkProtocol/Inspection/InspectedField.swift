/// What of an upload a network can see beside its bytes: a probe changes one of them (UPLINK.md, 10).
package enum InspectedField: String, CaseIterable, Sendable {
  /// The name that the server is asked for.
  case sni
  /// What is to be spoken over TLS.
  case alpn
  /// The newest version of TLS that is offered.
  case tlsVersion
  /// The port of the server.
  case port
  /// How many bytes it has.
  case size
}
