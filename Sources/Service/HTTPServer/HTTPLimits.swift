/// What a server takes at most.
public struct HTTPLimits: Sendable {
  /// Bytes of a body on the wire.
  public var bodyBytes = 1 << 20
  /// Bytes of a body after inflating.
  public var inflatedBytes = 4 << 20
  /// Bytes of all bodies that are being received or worked on, besides one of them.
  public var totalBodyBytes = 256 << 20
  /// Bytes of request line and headers together (RFC 6585, 5: 431).
  public var headBytes = 16 << 10
  /// Headers of a request.
  public var headers = 100
  /// What the library has for a head and its notes of it. Larger than a head may be, so that the
  /// answer to a larger one comes from us; what does not even fit here, the library answers itself.
  public var headMemory = 32 << 10
  /// Characters of path and query.
  public var targetLength = 2048
  /// Connections at once.
  public var connections = 16_384
  /// Connections that stay open for a next request. Each has ``headMemory``: beyond so many, an answer ends
  /// its connection.
  public var keptConnections = 2048
  /// Connections at once from one address, or one /64 of IPv6; 0 for no limit.
  public var connectionsPerAddress = 0
  /// Requests that are worked on at once.
  public var requests = 2048
  /// Streams of events at once.
  public var streams = 2000
  /// Connections at once on which another protocol is spoken than HTTP; 0 for none.
  package var upgrades = 0
  /// After how long a stream is shown to be there.
  public var heartbeat = Duration.seconds(15)
  /// How long the head of a request may take from the first to the last byte.
  public var headPatience = Duration.seconds(20)
  /// How long the body may take, and an answer to be read.
  public var bodyPatience = Duration.seconds(30)
  /// How long a connection may be silent between requests.
  public var idlePatience = Duration.seconds(75)
  /// How long a stopping server waits for clients to read the end of their streams.
  package var farewellPatience = Duration.seconds(1)

  /// Headers besides those of HTTP itself that may be there once, in lower case.
  public var singleHeaders: [StaticString] = []
  /// The proxies whose word is taken for who is behind them.
  public var trustedProxies = TrustedProxies.none
  /// The endpoint that a head asks for, by whatever name, and what it takes; nil for what the server does.
  public var endpoint: @Sendable (HTTPHead) -> (name: String, limits: EndpointLimits)? = { _ in nil
  }

  /// What is to become of a request, once its head has come; asked once for each, on a thread that must not wait, also
  /// for those that are refused then.
  package var body: @Sendable (HTTPHead) -> BodyChoice = { _ in .kept }

  /// The usual limits.
  public init() {}
}
