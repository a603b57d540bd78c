/// How a broker is reached.
public struct MQTTConfiguration: Sendable {
  /// Where it is.
  public var address: MQTTAddress
  /// By what the broker knows this client; two clients of the same name throw each other out.
  public var clientID: String
  /// The password of the user.
  public var password: String?
  /// Whom to trust, PEM; nil for the authorities of the system.
  public var authorities: String?
  /// The client's own certificate and its key, PEM.
  public var certificate: String?
  /// The key of ``certificate``, without a passphrase.
  public var key: String?
  /// What the broker publishes, retained, when this client is gone without a word.
  public var lastWill: MQTTMessage?
  /// How many messages wait for the broker, and how many topics are retained, at most.
  public var limit = 1000
  /// The waits between attempts to connect: the first one, and the longest. Each is twice the one before, until a
  /// connection has lasted as long as the longest.
  public var pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60)
  /// Between signs of life of a silent connection, s, 5 or more.
  public var keepAlive = 60

  /// The usual settings.
  public init(_ address: MQTTAddress, clientID: String) {
    self.address = address
    self.clientID = clientID
  }
}
