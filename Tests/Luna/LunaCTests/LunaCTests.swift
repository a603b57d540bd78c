import CLuna
import EventLoop
import Foundation
import LunaC
import Synchronization
import Testing

/// libluna, called as a program in C calls it.
struct LunaCTests {
  /// What callbacks got.
  final class Heard: Sendable {
    let lines = Mutex<[String]>([])
    let end = Mutex<luna_status?>(nil)
    /// The scan that the callback is to stop, and what came of it.
    let own = Mutex<Handle?>(nil)
    let refusal = Mutex<luna_status?>(nil)
    /// Set when something came, and when it ended.
    let news = DispatchSemaphore(value: 0)

    func add(_ line: String) {
      lines.withLock { $0.append(line) }
      news.signal()
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func of(_ context: UnsafeMutableRawPointer?) -> Heard? {
      context.map { Unmanaged<Heard>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private static let recordings = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../captures").standardizedFileURL

  private static func taken(_ text: UnsafeMutablePointer<CChar>?) -> String {
    defer { luna_free(text) }
    return text.map { String(cString: $0) } ?? ""
  }

  @Test func decodes() {
    var json: UnsafeMutablePointer<CChar>?
    #expect(luna_decode([2, 1, 6], 3, nil, &json) == LUNA_OK)
    let text = Self.taken(json)
    #expect(text.hasPrefix("{\"type\":\"decoded\",\"data\":\"020106\""))
    #expect(text.hasSuffix("}"))
    #expect(text.contains("\"flags\":6"))
  }

  @Test func refusesWhatMakesNoSense() {
    var json: UnsafeMutablePointer<CChar>?
    #expect(luna_decode(nil, 3, nil, &json) == LUNA_INVALID)
    #expect(luna_decode([2, 1, 6], 3, nil, nil) == LUNA_INVALID)
    #expect(luna_decode([2, 1, 6], 3, "nowhere", &json) == LUNA_INVALID)
    #expect(String(cString: luna_error_text()) == "nowhere is no Bluetooth address")
    let long = [UInt8](repeating: 0, count: 1651)
    #expect(luna_decode(long, 1651, nil, &json) == LUNA_INVALID)
    // SIZE_MAX, as a subtraction in C may come to.
    #expect(luna_decode(long, -1, nil, &json) == LUNA_INVALID)
    #expect(json == nil)
    luna_free(nil)
  }

  // Calls of a program wait in its threads, not in those that Luna's tasks run on.

  /// Calls `luna_scan_start`, and gives how it ended and the handle.
  private static func start(
    _ source: String, _ heard: Heard, _ callback: @escaping luna_advertisement_callback
  ) async -> (status: luna_status, text: String, scan: Handle) {
    let call = Call(callback: callback)
    return await Blocking.run { () -> (luna_status, String, Handle) in
      var scan: OpaquePointer?
      let status = luna_scan_start(
        source, call.callback,
        { status, _, context in
          Heard.of(context)?.end.withLock { $0 = status }
          Heard.of(context)?.news.signal()
        }, heard.pointer, &scan)
      return (status, String(cString: luna_error_text()), Handle(scan: scan))
    }
  }

  private static func stop(_ scan: Handle) async -> luna_status {
    await Blocking.run { luna_scan_stop(scan.scan) }
  }

  private static func news(_ heard: Heard) async {
    await Blocking.run { heard.news.wait() }
  }

  private struct Call: @unchecked Sendable {
    let callback: luna_advertisement_callback
  }

  struct Handle: @unchecked Sendable {
    let scan: OpaquePointer?
  }

  @Test(arguments: ["nonsense", "virtual:x", "auto@", "h4:", ""])
  func refusesSources(_ name: String) async {
    let answer = await Self.start(name, Heard()) { _, _ in }
    #expect(answer.status == LUNA_INVALID)
    #expect(answer.scan.scan == nil)
    #expect(!answer.text.isEmpty)
    #expect(await Self.stop(answer.scan) == LUNA_OK)
  }

  @Test func saysThatAFileIsMissing() async {
    let answer = await Self.start("file:/nowhere", Heard()) { _, _ in }
    #expect(answer.status == LUNA_UNAVAILABLE)
    #expect(answer.text.contains("/nowhere"))
  }

  @Test func hearsTheSimulatedRoomAndStops() async {
    let heard = Heard()
    let answer = await Self.start("virtual:1", heard) { advertisement, context in
      guard let advertisement else { return }
      Heard.of(context)?.add(String(cString: advertisement.pointee.json))
    }
    #expect(answer.status == LUNA_OK)
    await Self.news(heard)
    #expect(await Self.stop(answer.scan) == LUNA_OK)
    #expect(heard.lines.withLock { $0.first }?.hasPrefix("{\"type\":\"advertisement\"") == true)
    // Who stops it is not told that it has ended.
    #expect(heard.end.withLock { $0 } == nil)
  }

  @Test func readsARecordingToItsEnd() async throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.recordings.path)
    let file = try #require(
      files.sorted().first { $0.hasSuffix(".btsnoop") || $0.hasSuffix(".log") })
    let heard = Heard()
    let path = Self.recordings.appending(path: file).path
    let answer = await Self.start("file:" + path, heard) { advertisement, context in
      guard let advertisement else { return }
      Heard.of(context)?.lines.withLock { $0.append(String(cString: advertisement.pointee.json)) }
    }
    #expect(answer.status == LUNA_OK)
    await Self.news(heard)
    #expect(heard.end.withLock { $0 } == LUNA_OK)
    #expect(heard.lines.withLock { !$0.isEmpty })
    #expect(await Self.stop(answer.scan) == LUNA_OK)
  }

  @Test func isNotStoppedByItsOwnCallback() async {
    let heard = Heard()
    let answer = await Self.start("virtual:1", heard) { _, context in
      guard let heard = Heard.of(context), let scan = heard.own.withLock({ $0?.scan }) else {
        return
      }
      heard.own.withLock { $0 = nil }
      heard.refusal.withLock { $0 = luna_scan_stop(scan) }
      heard.news.signal()
    }
    #expect(answer.status == LUNA_OK)
    heard.own.withLock { $0 = answer.scan }
    await Self.news(heard)
    #expect(heard.refusal.withLock { $0 } == LUNA_BUSY)
    #expect(await Self.stop(answer.scan) == LUNA_OK)
  }

  /// The first key of the protocol's vectors, and what its tracker shows in one period.
  private static let key = (0..<32).map { UInt8($0) }
  private static let period: UInt32 = 1_660_156
  private static let eid: [UInt8] = [0xB6, 0xE7, 0xB6, 0x07, 0xBD, 0xC2, 0x30, 0x4A]
  private static let aotp: [UInt8] = [0xE5, 0xC8, 0x01, 0x34, 0x24, 0x40, 0x2B]
  private static let esf: [UInt8] = [1, 2, 3]

  private static var here: luna_location {
    luna_location(
      time: Int64(period) * 1_024_000, latitude: 52.5, longitude: 13.4, altitude: .nan,
      horizontal_accuracy: 5, vertical_accuracy: .nan, speed: .nan, course: .nan, rssi: -70,
      is_simulated: true)
  }

  @Test func sealsAndOpens() {
    var heid = [UInt8](repeating: 0, count: 16)
    var report = [CChar](repeating: 0, count: Int(LUNA_REPORT_SIZE))
    var location = Self.here
    #expect(
      luna_report_seal(Self.eid, Self.aotp, Self.esf, &location, &heid, &report) == LUNA_OK)
    #expect(strlen(report) == 84)
    var there = luna_location()
    var json: UnsafeMutablePointer<CChar>?
    let opened = luna_report_open(
      Self.key, report, heid, Self.esf, Self.period - 10, Self.period + 10, &there, &json)
    #expect(opened == LUNA_OK)
    #expect(there.latitude == 52.5 && there.longitude == 13.4 && there.rssi == -70)
    #expect(there.is_simulated && there.altitude.isNaN && there.horizontal_accuracy == 5)
    #expect(Self.taken(json).contains("\"counter\":\(Self.period)"))
  }

  @Test func saysWhyAReportDoesNotOpen() {
    var heid = [UInt8](repeating: 0, count: 16)
    var report = [CChar](repeating: 0, count: Int(LUNA_REPORT_SIZE))
    var location = Self.here
    #expect(
      luna_report_seal(Self.eid, Self.aotp, Self.esf, &location, &heid, &report) == LUNA_OK)
    func open(_ report: [CChar], _ key: [UInt8], _ first: UInt32, _ last: UInt32) -> luna_status {
      luna_report_open(key, report, heid, Self.esf, first, last, nil, nil)
    }
    let other = [UInt8](repeating: 7, count: 32)
    #expect(open(report, other, Self.period, Self.period) == LUNA_NOT_FOUND)
    #expect(open(report, Self.key, 5, 6) == LUNA_NOT_FOUND)
    #expect(open(report, Self.key, 6, 5) == LUNA_INVALID)
    #expect(open([0x41, 0x42, 0], Self.key, Self.period, Self.period) == LUNA_MALFORMED)
    report[20] = report[20] == 0x41 ? 0x42 : 0x41
    #expect(open(report, Self.key, Self.period, Self.period) == LUNA_NOT_FOUND)
  }

  @Test func refusesALocationThatCannotBe() {
    var heid = [UInt8](repeating: 0, count: 16)
    var report = [CChar](repeating: 0, count: Int(LUNA_REPORT_SIZE))
    var location = Self.here
    location.latitude = 91
    #expect(
      luna_report_seal(Self.eid, Self.aotp, Self.esf, &location, &heid, &report) == LUNA_INVALID)
    #expect(String(cString: luna_error_text()).contains("latitude"))
  }
}
