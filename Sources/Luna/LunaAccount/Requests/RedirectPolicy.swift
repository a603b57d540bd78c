/// Where a token goes when a server sends its request elsewhere.
public enum RedirectPolicy: Hashable, Sendable {
  /// Nowhere: the request goes on without it.
  case drop
  /// To the same scheme, host and port.
  case sameOrigin
  /// Also to these hosts, `HOST` or `HOST:PORT`.
  case allowList([String])
}
