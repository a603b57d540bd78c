public import Bluetooth
public import HTTPServer
public import LunaClient

/// How a backend behaves.
public struct BackendConfiguration: Sendable {
  /// Where it listens; port 0 is any that is free.
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
  /// Among how many processes the rates above, and those of attempts to sign in and the like, are divided: for those of
  /// which clients may ask any.
  public var processes = 1
  /// From where on something is wrong with a gateway.
  public var health = HealthLimits()
  /// Whether events may have clear fields. For tests alone.
  public var allowsDebugFields = false
  /// Where browsers find it; nil for where it listens.
  public var publicURL: PublicURL?
  /// Whether people can sign in and use it with a browser.
  public var hasConsole = true
  /// Whether it is recorded which pages of the console are used.
  public var recordsUsage = false
  /// Files with map tiles (MBTiles) of the console, by how they look. They stand before the sources that
  /// admins choose.
  public var tiles: [TileLook: String] = [:]
  /// The program that reads the QR code of a picture (PGM) from standard input, and its arguments; empty
  /// where there is none.
  public var pictureReader: [String] = []
  /// Issuers of others whose tokens are taken.
  public var issuers: [TrustedIssuer] = []
  /// How they are reached; its address is not looked at.
  public var issuerClient = ClientConfiguration(url: "")
  /// Whether nobody in particular may sign in, as long as there are no accounts. For demonstrations on this
  /// machine alone.
  public var isDemo = false
  /// Pairs of servers of uplink checks that it tells of: two addresses each.
  package var uplinkPairs: [[String]] = []
  /// What it serves besides.
  package var addition: ServerAddition?
  /// The time of day; a test has another.
  public var now: @Sendable () -> Timestamp = { SystemTime.now() }

  /// Plain HTTP on 127.0.0.1:8080, with the console and without issuers of others.
  public init() {}
}
