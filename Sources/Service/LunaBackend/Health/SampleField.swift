import LunaCore

/// What is kept of a health report over time: numbers. Their order is that of the bytes (``SampleCodec``):
/// new ones come at the end.
enum SampleField: Int, CaseIterable, Sendable {
  case uptime, packetsPerSecond, packetsDropped, packetsMalformed, advertisers, sightingsPerMinute
  case recoveries, silentSeconds, queueDepth, queueOldestSeconds, outageHoursLeft, eventsLost
  case uploadFailures, lastUploadSeconds, backendMilliseconds, commandsDone, commandsFailed
  case locationState, clockOffsetMilliseconds, cpuPercent, memoryMiB, diskFreeMiB, temperature
  case throttled

  /// What several of them become in an hour or a day.
  enum Merging {
    case mean, lowest, highest, last
  }

  var merging: Merging {
    switch self {
    case .packetsPerSecond, .advertisers, .sightingsPerMinute, .backendMilliseconds, .cpuPercent,
      .memoryMiB:
      .mean
    case .outageHoursLeft, .diskFreeMiB: .lowest
    case .silentSeconds, .queueDepth, .queueOldestSeconds, .lastUploadSeconds, .locationState,
      .temperature, .throttled:
      .highest
    case .uptime, .packetsDropped, .packetsMalformed, .recoveries, .eventsLost, .uploadFailures,
      .commandsDone, .commandsFailed, .clockOffsetMilliseconds:
      .last
    }
  }

  /// By how much it is multiplied to be a whole number.
  var scale: Double {
    switch self {
    case .packetsPerSecond, .advertisers, .sightingsPerMinute, .outageHoursLeft, .cpuPercent,
      .memoryMiB, .temperature:
      10
    default: 1
    }
  }

  /// Its name in the API.
  var name: String { "\(self)" }

  func value(in report: HealthReport) -> Double? {
    switch self {
    case .uptime: report.uptime.map(Double.init)
    case .packetsPerSecond: report.packetsPerSecond
    case .packetsDropped: report.packetsDropped.map(Double.init)
    case .packetsMalformed: report.packetsMalformed.map(Double.init)
    case .advertisers: report.advertisers.map(Double.init)
    case .sightingsPerMinute: report.sightingsPerMinute
    case .recoveries: report.recoveries.map(Double.init)
    case .silentSeconds: report.silentSeconds.map(Double.init)
    case .queueDepth: report.queueDepth.map(Double.init)
    case .queueOldestSeconds: report.queueOldestSeconds.map(Double.init)
    case .outageHoursLeft: report.outageHoursLeft
    case .eventsLost: report.eventsLost.map(Double.init)
    case .uploadFailures: report.uploadFailures.map(Double.init)
    case .lastUploadSeconds: report.lastUploadSeconds.map(Double.init)
    case .backendMilliseconds: report.backendMilliseconds.map(Double.init)
    case .commandsDone: report.commandsDone.map(Double.init)
    case .commandsFailed: report.commandsFailed.map(Double.init)
    case .locationState: report.locationState.map(SampleField.rank)
    case .clockOffsetMilliseconds: report.clockOffsetMilliseconds.map(Double.init)
    case .cpuPercent: report.cpuPercent
    case .memoryMiB: report.memoryMiB
    case .diskFreeMiB: report.diskFreeMiB.map(Double.init)
    case .temperature: report.temperature
    case .throttled: report.throttled.map { $0 ? 1 : 0 }
    }
  }

  private static func rank(_ state: HealthReport.LocationState) -> Double {
    switch state {
    case .known: 0
    case .stale: 1
    case .unknown: 2
    }
  }
}
