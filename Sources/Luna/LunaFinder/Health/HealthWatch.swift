import Beacons
import Bluetooth
import LunaCore

/// What a finder knows of how it is, counted from what it hears and tells. It knows no time but the one that
/// it is told. Nothing in it names the gateway, its place or who is near.
struct HealthWatch: Sendable {
  /// How often there is a report.
  static let interval = Duration.seconds(60)

  /// Since when it is counted, and since when the present minute.
  private let startedAt: Duration
  private var minuteAt: Duration
  private var packets: UInt64 = 0
  private var counters = SourceCounters()
  private var advertisers: AdvertiserCount
  private var sightings = 0
  private var recoveries: Int64 = 0
  private var tally = FinderTally()
  private var heardAt: Duration
  private var uploadedAt: Duration?
  private var backendTook: Duration?
  private var location = HealthReport.LocationState.unknown
  private var state: FinderState?
  private var adapters = AdapterWatch()
  private var processorTime: Duration?

  init(decoder: BeaconDecoder, at now: Duration) {
    startedAt = now
    minuteAt = now
    heardAt = now
    advertisers = AdvertiserCount(decoder: decoder)
  }

  /// Another source is on, of whose adapters nothing is known yet.
  mutating func begin() { adapters = AdapterWatch() }

  /// The source could not begin or go on, and is not tried again.
  mutating func end(because error: SourceError) { adapters.end(because: error) }

  /// Something was heard.
  mutating func hear(_ batch: [AdvertisingReport], at now: Duration) {
    heardAt = now
    for report in batch {
      advertisers.take(report)
      adapters.count(report)
    }
  }

  /// A source has counted this since it was asked last.
  mutating func count(_ news: SourceCounters) {
    counters.add(news)
    packets += news.packets
  }

  /// The backend took a batch, or refused it, after so long.
  mutating func upload(took duration: Duration) { backendTook = duration }

  /// The finder tells something.
  mutating func take(_ update: FinderUpdate, at now: Duration) {
    tally.take(update)
    switch update {
    case .found: sightings += 1
    case .uploaded: uploadedAt = now
    case .recovery(let step):
      adapters.take(step, at: now)
      if step.outcome == .recovered { recoveries += 1 }
    case .located: location = .known
    case .unlocated: location = location == .unknown ? .unknown : .stale
    // A flood is no state of the adapter.
    case .state(.underAttack): break
    case .state(let new): state = new
    default: break
    }
  }

  /// How it is; a new minute begins.
  ///
  /// - Parameters:
  ///   - source: the name of the source that is on.
  ///   - queue: what waits.
  mutating func report(
    source: String?, queue: QueueStatus?, machine: MachineHealth, at now: Duration, date: Timestamp
  ) -> HealthReport {
    let minute = max(1, (now - minuteAt) / .seconds(1))
    var report = HealthReport()
    report.uptime = (now - startedAt).components.seconds
    report.packetsPerSecond = Double(packets) / minute
    report.packetsDropped = Int64(clamping: counters.kernelDrops &+ counters.queueDrops)
    report.packetsMalformed = Int64(
      clamping: counters.damagedRecords &+ counters.checksumErrors &+ counters.overrunEvents)
    report.advertisers = advertisers.count
    report.families = advertisers.families
    report.sightingsPerMinute = Double(sightings) * 60 / minute
    report.recoveries = recoveries
    report.silentSeconds = (now - heardAt).components.seconds
    if let source {
      let (path, names) = HealthWatch.parts(of: source)
      report.radioPath = path
      report.adapters = names.map { name, id in
        AdapterHealth(
          id: id, state: adapters.state(of: name, in: state, at: now),
          packetsPerSecond: names.count == 1
            ? report.packetsPerSecond : Double(adapters.packets(of: name)) / minute)
      }
      adapters.keep(names.map { $0.name })
    }
    if let queue {
      report.queueDepth = Int64(queue.waiting)
      report.queueOldestSeconds = queue.oldest.map {
        max(0, date.microseconds - $0.microseconds) / 1_000_000
      }
      report.outageHoursLeft = queue.hoursLeft
      // Sightings that never became events are no loss of the queue's.
      report.eventsLost = [DropReason.queueFull, DropReason.storage].reduce(0) {
        $0 + Int64(min(max(0, queue.dropped[$1] ?? 0), 1 << 52))
      }
    }
    report.uploadFailures = Int64(tally.failures)
    report.lastUploadSeconds = uploadedAt.map { (now - $0).components.seconds }
    report.backendMilliseconds = backendTook.map { Int64($0 / .milliseconds(1)) }
    report.commandsDone = Int64(tally.commands[.done] ?? 0)
    report.commandsFailed = Int64(
      (tally.commands[.failed] ?? 0) + (tally.commands[.notReached] ?? 0))
    report.locationState = location
    if let time = machine.processorTime, let before = processorTime {
      report.cpuPercent = max(0, (time - before) / .seconds(1) / minute * 100)
    }
    report.memoryMiB = machine.memoryMiB
    report.diskFreeMiB = machine.diskFreeMiB
    report.temperature = machine.temperature
    report.throttled = machine.throttled
    processorTime = machine.processorTime
    (minuteAt, packets, sightings) = (now, 0, 0)
    advertisers.reset()
    return report
  }

  /// The kinds of sources that are told; a name may hold a path or a host.
  private static let paths: Set = ["observe", "mgmt", "dbus", "exclusive", "h4", "virtual"]

  /// More adapters are not told.
  private static let adapterLimit = 16

  /// The kind of a source's radio path, and its adapters: how they are called here, and by which name they are told.
  /// That is the kernel's, or the kind of the path.
  static func parts(of source: String) -> (path: String, adapters: [(name: String, id: String)]) {
    let words = source.split(separator: ":", maxSplits: 1).map { String($0) }
    guard let path = words.first, paths.contains(path) else {
      return ("other", [("other", "other")])
    }
    guard words.count == 2, path != "h4", path != "virtual" else { return (path, [(path, path)]) }
    let names = words[1].split(separator: ",").prefix(adapterLimit).map { String($0) }
    return (path, names.map { ($0, AdapterWatch.index(of: $0) == nil ? path : $0) })
  }
}
