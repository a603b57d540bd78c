/// How a gateway is (FLEET.md, 4). What is not known is nil. Nothing in it tells where the gateway is, what
/// it is called, or who is near it.
public struct HealthReport: Hashable, Sendable {
  /// The version of the program.
  public var version: String?
  /// How long it has been running, s.
  public var uptime: Int64?
  /// The kind of radio path, such as `observe`.
  public var radioPath: String?
  /// What is listened with; a radio path without an adapter counts as one.
  public var adapters: [AdapterHealth] = []
  /// How many packets a second were heard within the last minute.
  public var packetsPerSecond: Double?
  /// Packets that were lost since the start: the kernel or the program was too slow.
  public var packetsDropped: Int64?
  /// Packets since the start that could not be read.
  public var packetsMalformed: Int64?
  /// How many advertisers were heard within the last minute.
  public var advertisers: Int64?
  /// How many of them are of which family of beacons.
  public var families: [String: Int64] = [:]
  /// How many sightings were queued within the last minute.
  public var sightingsPerMinute: Double?
  /// How often the radio was brought back since the start.
  public var recoveries: Int64?
  /// For how long nothing was heard, s.
  public var silentSeconds: Int64?
  /// How many events wait for the backend.
  public var queueDepth: Int64?
  /// How long the oldest of them has been waiting, s.
  public var queueOldestSeconds: Int64?
  /// How many hours of an outage still fit into the queue.
  public var outageHoursLeft: Double?
  /// Events that were lost from the queue, as long as it remembers.
  public var eventsLost: Int64?
  /// Uploads since the start that failed.
  public var uploadFailures: Int64?
  /// How long ago the last upload succeeded, s.
  public var lastUploadSeconds: Int64?
  /// How long the backend took for the last upload, ms.
  public var backendMilliseconds: Int64?
  /// Commands since the start that were carried out.
  public var commandsDone: Int64?
  /// Commands since the start that were not.
  public var commandsFailed: Int64?
  /// Whether the gateway knows where it is.
  public var locationState: LocationState?
  /// How far the backend's clock is ahead of this one, ms.
  public var clockOffsetMilliseconds: Int64?
  /// What the last check of the uplink said.
  public var uplinkVerdict: String?
  /// How fast uploads ran in it, by other traffic.
  public var uplinkRatio: Double?
  /// How long ago it was, s.
  public var uplinkSeconds: Int64?
  /// Where a difference is made, in a word.
  public var uplinkLocated: String?
  /// How much of one processor the program took within the last minute, percent.
  public var cpuPercent: Double?
  /// How much memory it has, MiB.
  public var memoryMiB: Double?
  /// How much room there is for its files, MiB.
  public var diskFreeMiB: Int64?
  /// The temperature of the processor, °C.
  public var temperature: Double?
  /// Whether the machine runs slower than it could, since it is hot or its power is weak.
  public var throttled: Bool?

  /// Whether a gateway knows where it is.
  public enum LocationState: String, CaseIterable, Sendable {
    /// It does.
    case known
    /// It did; the last position is too old.
    case stale
    /// It does not.
    case unknown
  }

  /// A report of nothing.
  public init() {}
}
