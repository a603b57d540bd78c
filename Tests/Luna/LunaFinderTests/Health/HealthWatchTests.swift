import Beacons
import Bluetooth
import LunaCore
import LunaProtocol
import Testing

@testable import LunaFinder

@Suite("How a gateway is")
struct HealthWatchTests {
  private var watch = HealthWatch(decoder: BeaconDecoder(), at: .seconds(100))

  private static func report(
    _ address: UInt64, _ bytes: [UInt8] = [], adapter: UInt16 = 0
  ) -> AdvertisingReport {
    AdvertisingReport(
      time: Timestamp(microseconds: 1_790_000_000_000_000), adapter: adapter,
      address: BluetoothAddress(value: address), addressType: .random,
      payload: AdvertisingPayload(bytes), rssi: -60)
  }

  /// Service data of Tile (Tile.activatedService).
  private static let tile: [UInt8] = [0x03, 0x03, 0xED, 0xFE, 0x05, 0x16, 0xED, 0xFE, 0x02, 0x00]

  private mutating func report(
    source: String? = "observe:hci0", queue: QueueStatus? = nil,
    machine: MachineHealth = .init(), at seconds: Int
  ) -> HealthReport {
    watch.report(
      source: source, queue: queue, machine: machine, at: .seconds(seconds),
      date: Timestamp(microseconds: 1_790_000_000_000_000))
  }

  @Test("Advertisers and families are those of the last minute")
  mutating func advertisers() {
    watch.hear(
      [Self.report(1), Self.report(2, Self.tile), Self.report(1), Self.report(3, Self.tile)],
      at: .seconds(110))
    let first = report(at: 160)
    #expect(first.advertisers == 3)
    #expect(first.families == ["tile": 2])
    #expect(first.silentSeconds == 50)
    #expect(first.uptime == 60)
    watch.hear([Self.report(1)], at: .seconds(170))
    let second = report(at: 220)
    #expect(second.advertisers == 1 && second.families.isEmpty)
  }

  @Test("A million rotating addresses cost no more than some")
  mutating func crowd() {
    watch.hear((0..<40_000).map { Self.report($0) }, at: .seconds(110))
    #expect(report(at: 160).advertisers == Int64(AdvertiserCount.limit))
  }

  @Test("Rates are of the time since the last report, losses since the start")
  mutating func rates() {
    var news = SourceCounters()
    news.packets = 600
    news.kernelDrops = 3
    news.damagedRecords = 2
    watch.count(news)
    watch.take(
      .found(heid: .init(high: 1, low: 2), rssi: nil, at: Timestamp(microseconds: 0)),
      at: .seconds(101))
    let first = report(at: 160)
    #expect(first.packetsPerSecond == 10 && first.sightingsPerMinute == 1)
    #expect(first.packetsDropped == 3 && first.packetsMalformed == 2)
    let second = report(at: 220)
    #expect(second.packetsPerSecond == 0 && second.sightingsPerMinute == 0)
    #expect(second.packetsDropped == 3 && second.packetsMalformed == 2)
  }

  @Test("States of the adapter and of the position")
  mutating func states() {
    #expect(report(at: 160).adapters.map(\.state) == [.idle])
    #expect(report(at: 161).locationState == .unknown)
    watch.take(.unlocated("no fix"), at: .seconds(162))
    #expect(report(at: 163).locationState == .unknown)
    watch.take(.state(.listening(adapter: "hci0")), at: .seconds(164))
    watch.take(.state(.underAttack(newPerMinute: 9)), at: .seconds(164))
    watch.take(.located(LocationFix(latitude: 1, longitude: 2)), at: .seconds(164))
    #expect(report(at: 165).adapters.map(\.state) == [.scanning])
    #expect(report(at: 165).locationState == .known)
    watch.take(.state(.recovering(adapter: "hci0", reason: "gone")), at: .seconds(166))
    watch.take(.unlocated("old"), at: .seconds(166))
    #expect(report(at: 167).adapters.map(\.state) == [.recovering])
    #expect(report(at: 167).locationState == .stale)
    watch.take(.state(.lost(adapter: "hci0", reason: "gone")), at: .seconds(168))
    #expect(report(at: 169).adapters.map(\.state) == [.lost])
    // What cannot be switched on may be broken.
    watch.end(because: SourceError.unusable("hci0 cannot be powered on"))
    #expect(report(at: 170).adapters.map(\.state) == [.lost])
    watch.end(because: SourceError(.off, "hci0 is switched off"))
    #expect(report(at: 170).adapters.map(\.state) == [.off])
    watch.begin()
    watch.end(because: SourceError(.lost, "hci0 is gone"))
    #expect(report(at: 171).adapters.map(\.state) == [.lost])
  }

  private mutating func take(
    _ adapter: String, _ kind: RecoveryStep.Kind, _ outcome: RecoveryStep.Outcome,
    isOff: Bool = false,
    at seconds: Int
  ) {
    var step = RecoveryStep(
      adapter: adapter, kind: kind, outcome: outcome, reason: "gone", attempt: 1)
    step.isOff = isOff
    watch.take(.recovery(step), at: .seconds(seconds))
  }

  @Test("Of several adapters each is told, also the one that is gone while others hear")
  mutating func severalAdapters() {
    let source = "observe:hci0,hci12"
    watch.take(.state(.listening(adapter: "hci0,hci12")), at: .seconds(101))
    watch.hear(
      [Self.report(1), Self.report(2), Self.report(3, adapter: 12)], at: .seconds(102))
    let first = report(source: source, at: 160)
    #expect(first.radioPath == "observe" && first.adapters.map(\.id) == ["hci0", "hci12"])
    #expect(first.adapters.map(\.state) == [.scanning, .scanning])
    let rates: [Double] = [2.0 / 60, 1.0 / 60]
    #expect(first.adapters.map(\.packetsPerSecond) == rates)
    take("hci12", .wait, .waiting, at: 170)
    let second = report(source: source, at: 220)
    #expect(second.adapters.map(\.state) == [.scanning, .lost])
    #expect(second.adapters.map(\.packetsPerSecond) == [0, 0])
    // It comes back as another one, whose old name somebody else may get.
    take("hci3", .wait, .recovered, at: 230)
    #expect(
      report(source: "observe:hci0,hci3", at: 280).adapters.map(\.state) == [.scanning, .scanning])
    #expect(report(source: source, at: 290).adapters.map(\.state) == [.scanning, .scanning])
    take("hci0", .wait, .waiting, isOff: true, at: 291)
    #expect(report(source: source, at: 292).adapters.map(\.state) == [.off, .scanning])
    // One that is not there yet is known by its address, which nobody else learns.
    let missing = report(source: "observe:hci0,C0:FF:EE:00:00:01", at: 293)
    #expect(missing.adapters.map(\.id) == ["hci0", "observe"])
    // Of another source nothing is known.
    watch.begin()
    #expect(report(source: source, at: 294).adapters.map(\.state) == [.scanning, .scanning])
  }

  @Test("Where a source has ended, of several adapters each is told by its own state")
  mutating func severalAdaptersAtTheEnd() {
    let source = "observe:hci0,hci1,hci2"
    watch.take(.state(.lost(adapter: "hci0,hci1,hci2", reason: "off")), at: .seconds(101))
    let off = SourceError(.off, "hci0 is switched off")
    var error = off
    error.failures = [
      "hci0": off, "hci1": SourceError(.noAdapter, "there is no adapter hci1"),
      "hci2": SourceError.unusable("hci2 cannot be powered on"),
    ]
    watch.end(because: error)
    #expect(report(source: source, at: 160).adapters.map(\.state) == [.off, .lost, .lost])
    // The one that is said of the source need not be the one that is off.
    var other = SourceError(.noAdapter, "there is no adapter hci1")
    other.failures = error.failures
    watch.end(because: other)
    #expect(report(source: source, at: 161).adapters.map(\.state) == [.off, .lost, .lost])
  }

  @Test("What is brought back in vain for long has failed; a place that is quiet has not")
  mutating func troubles() {
    watch.take(.state(.listening(adapter: "hci0")), at: .seconds(101))
    take("hci0", .scan, .failed, at: 110)
    take("hci0", .power, .done, at: 120)
    #expect(report(at: 400).adapters.map(\.state) == [.recovering])
    #expect(report(at: 410).adapters.map(\.state) == [.lost])
    take("hci0", .scan, .quiet, at: 420)
    take("hci0", .scan, .done, at: 430)
    #expect(report(at: 800).adapters.map(\.state) == [.scanning])
    take("hci0", .power, .done, at: 810)
    take("hci0", .power, .recovered, at: 820)
    #expect(report(at: 2000).adapters.map(\.state) == [.scanning])
  }

  @Test("What the queue, the uploads and the machine say")
  mutating func others() {
    var status = QueueStatus()
    status.waiting = 7
    status.limit = 107
    status.oldest = Timestamp(microseconds: 1_790_000_000_000_000 - 90_000_000)
    status.eventsPerHour = 10
    status.losses = [
      DropReason.queueFull: LossCount(4), DropReason.crowd: LossCount(90),
      DropReason.storage: LossCount(1),
    ]
    var machine = MachineHealth()
    machine.processorTime = .seconds(5)
    machine.memoryMiB = 30
    _ = report(machine: machine, at: 160)
    machine.processorTime = .seconds(8)
    watch.upload(took: .milliseconds(120))
    watch.take(.uploaded(UploadSummary()), at: .seconds(200))
    watch.take(
      .uploadFailed(BackendError(.unreachable, "no"), retryIn: .seconds(1)), at: .seconds(201))
    let found = report(queue: status, machine: machine, at: 220)
    #expect(found.queueDepth == 7 && found.queueOldestSeconds == 90)
    #expect(found.outageHoursLeft == 10 && found.eventsLost == 5)
    #expect(found.backendMilliseconds == 120 && found.lastUploadSeconds == 20)
    #expect(found.uploadFailures == 1)
    #expect(found.cpuPercent == 5 && found.memoryMiB == 30)
  }

  @Test(
    "Of a source its kind is told, and no path or host",
    arguments: [
      ("observe:hci0", "observe", "hci0"), ("mgmt:hci12", "mgmt", "hci12"),
      ("h4:tcp:secret.example:1234", "h4", "h4"), ("h4:/home/me/socket", "h4", "h4"),
      ("virtual:7", "virtual", "virtual"), ("/home/me/trace.btsnoop", "other", "other"),
      ("observe:hci0/home", "observe", "observe"), ("", "other", "other"),
    ])
  func sources(name: String, path: String, adapter: String) {
    let parts = HealthWatch.parts(of: name)
    #expect(parts.path == path && parts.adapters.map { $0.id } == [adapter])
  }
}
