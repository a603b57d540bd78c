import Beacons
import Bluetooth
import LunaCore
import LunaLocal
import LunaWatch
import Testing

@testable import LunaDocuments

@Suite struct WatchSinkTests {
  /// What is heard of a tracker until it would be told of if the watch ended there.
  private static func reports() throws -> [AdvertisingReport] {
    var engine = WatchEngine(WatchSettings())
    var reports: [AdvertisingReport] = []
    for number in 0..<2_000 {
      let report = LiveAdvertisersTests.report("0303edfe", at: Int64(number) * 10)
      reports.append(report)
      for beacon in BeaconDecoder().beacons(in: report) {
        if let frame = WatchFrame(beacon, in: report) { engine.hear(frame) }
      }
      var ended = engine
      ended.finish()
      if ended.hasFindings { break }
    }
    try #require(!engine.hasFindings)
    return reports
  }

  private static func sink(
    _ output: OutputBuffer, gate: ListeningGate? = nil
  ) async throws -> WatchSink {
    let local = LunaLocal(store: InMemoryDeviceStore()) {
      () throws(SourceError) -> any AdvertisementSource in
      throw SourceError(.invalid, "nobody listens")
    }
    return WatchSink(
      WatchEngine(WatchSettings()), try await local.scan(), WatchPlaces([]),
      WatchLines(output, isJSON: true, clock: ClockText(UTCZone())), isFile: true, gate: gate)
  }

  private static let summary = ListenSummary(
    heard: 1, shown: 0, dropped: [], duration: .seconds(1))

  /// A live watch ends with Ctrl-C, which finishes nothing.
  @Test(arguments: [false, true])
  func judgesOnceMoreWhoeverEndsIt(isFinished: Bool) async throws {
    let output = OutputBuffer()
    let sink = try await Self.sink(output)
    for report in try Self.reports() { _ = try sink.take(report) }
    #expect(output.lines.isEmpty)
    if isFinished { try sink.finish() }
    sink.summarize(Self.summary)
    let lines = output.lines
    #expect(lines.count { $0.contains("\"type\":\"suspect\"") } == 1, "\(lines)")
    #expect(lines.last?.contains("\"notices\":1,") == true, "\(lines)")
  }

  /// They could have been heard at any time.
  @Test func countsReportsWithoutTime() async throws {
    let output = OutputBuffer()
    let sink = try await Self.sink(output)
    var report = LiveAdvertisersTests.report("0303edfe")
    _ = try sink.take(report)
    report.time = .unknown
    for _ in 0..<2 { _ = try sink.take(report) }
    sink.summarize(Self.summary)
    #expect(output.lines.last?.contains("\"untimed\":2,") == true, "\(output.lines)")
  }

  @Test func tellsOfTheRadioAndOfLosses() async throws {
    let output = OutputBuffer()
    let gate = ListeningGate(output, adapter: { "hci7" }, isLive: true)
    let sink = try await Self.sink(output, gate: gate)
    let tell = try #require(sink.listeningDisplay)
    tell(.listening)
    _ = try sink.take(LiveAdvertisersTests.report("0303edfe"))
    tell(.dropped(reason: "kernel", count: 3))
    try sink.endBatch()
    sink.summarize(Self.summary)
    let lines = output.lines
    #expect(lines.count == 3)
    #expect(lines.first == #"{"type":"state","state":"listening","adapter":"hci7"}"#)
    #expect(lines.dropFirst().first == #"{"type":"dropped","reason":"kernel","count":3}"#)
    #expect(try await Self.sink(output).listeningDisplay == nil, "a recording has no states")
  }
}
