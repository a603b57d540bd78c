/// From where on something is wrong with a gateway.
public struct HealthLimits: Hashable, Sendable {
  /// For how long a gateway that was in touch is online, s.
  public var onlineSeconds: Int64 = 150
  /// For how long it is late then, s.
  public var lateSeconds: Int64 = 900
  /// How long nothing may be heard while it scans, s.
  public var silentSeconds: Int64 = 300
  /// How many hours of an outage must fit.
  public var outageHours = 24.0
  /// How much room there must be on its disk, MiB.
  public var diskFreeMiB: Int64 = 200
  /// How long an event may wait, s.
  public var queueOldestSeconds: Int64 = 900
  /// How often the radio may be brought back in an hour, less one.
  public var recoveriesPerHour: Int64 = 3
  /// How far its clock may be off, ms.
  public var clockOffsetMilliseconds: Int64 = 30_000
  /// How warm it may become, °C, less a little.
  public var temperature = 80.0

  /// The limits as they stand with each of them.
  public init() {}
}
