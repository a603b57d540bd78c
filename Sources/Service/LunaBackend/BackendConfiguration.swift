public import Bluetooth

/// How a backend behaves.
public struct BackendConfiguration: Sendable {
  /// Where it listens.
  public var listen = ListenAddress(host: "127.0.0.1", port: 8080)
  /// Certificate and key; nil for plain HTTP, behind a proxy or on loopback.
  public var tls: TLSFiles?
  /// Threads that serve connections.
  public var threads = 2
  /// What it takes at most.
  public var limits = HTTPLimits()
  /// How many days events are kept.
  public var retentionDays: Int32 = 400
  /// How long a gateway has a command for itself. A tracker is connectable once in 64 s, so that two
  /// tries fit.
  public var lease = Duration.seconds(150)
  /// How long a command may be offered at most.
  public var commandLifetime = Duration.seconds(366 * 86_400)
  /// How many open commands an owner may have.
  public var openCommandsPerOwner = 1000
  /// How many packages a command may have.
  public var packagesPerCommand = 4096
  /// How many commands a gateway is offered at once.
  public var commandsPerUpload = 16
  /// Events of a page of a query.
  public var pageSize = 1000
  /// How many events a second a gateway may send for long; 0 for any number.
  public var eventsPerSecond = 1000
  /// How many requests a second any other holder of a token may send for long; 0 for any number.
  public var requestsPerSecond = 50
  /// How many events of one identifier are taken in an hour; 0 for any number.
  public var eventsPerHeidAndHour = 2000
  /// Whether events may have clear fields. For tests alone.
  public var allowsDebugFields = false
  /// The time.
  public var now: @Sendable () -> Timestamp = { SystemTime.now() }

  /// The usual behaviour.
  public init() {}
}
