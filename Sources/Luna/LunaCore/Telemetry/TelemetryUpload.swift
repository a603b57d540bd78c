/// What a program sends of its telemetry at once.
public struct TelemetryUpload: Sendable {
  /// The most items in one.
  public static let itemLimit = 500
  /// The most bytes of a body.
  public static let byteLimit = 256 << 10
  /// The most samples that this program sends at once: with them, a body stays far below its limit.
  public static let sampleLimit = 96

  /// The program and its version, for the statistics.
  public var product: String
  /// How the gateway is now.
  public var health: HealthReport?
  /// How it was.
  public var samples: [HealthSample]
  /// What a gateway hears that stays, where it is to tell.
  public var devices: [DeviceReport]
  /// What happened.
  public var items: [TelemetryItem]

  /// An upload of at most ``itemLimit`` items, and of at most ``byteLimit`` as JSON.
  public init(
    product: String, health: HealthReport? = nil, samples: [HealthSample] = [],
    devices: [DeviceReport] = [], items: [TelemetryItem] = []
  ) {
    self.product = product
    self.health = health
    self.samples = samples
    self.devices = devices
    self.items = items
  }
}
