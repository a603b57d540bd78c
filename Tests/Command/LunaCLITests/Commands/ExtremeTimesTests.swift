import Bluetooth
import Foundation
import Testing

/// Recordings whose times cannot be: every command that reads one goes on, keeps the data and leaves
/// the time out. Readers may pass over a record that jumps by years, so each file has one time.
@Suite(.timeLimit(.minutes(10)))
struct ExtremeTimesTests {
  /// Microseconds since 1970.
  static let times: [Int64] = [
    .min, .min + 1, .min + 1_000_000, -(1 << 62), -62_135_596_800_000_001, 253_402_300_800_000_000,
    1 << 62, .max - 1_000_000, .max,
  ]
  private static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  private let luna: Luna

  init() throws { luna = try Luna() }

  /// Legacy advertising reports with a Luna frame, as events with their H4 indicator.
  private func events() throws -> [[UInt8]] {
    var recording = try TrackerRecording()
    recording.hear(TrackerRecording.period, at: 500)
    recording.hearForeign(at: 501)
    return recording.reports.map { report in
      let data = report.payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
      let address = (0..<6).map {
        UInt8(truncatingIfNeeded: report.address.value >> UInt64(8 * $0))
      }
      let pdu: UInt8 = report.isConnectable == true ? 0 : 3
      let parameters = [0x02, 1, pdu, 1] + address + [UInt8(data.count)] + data + [0xC3]
      return [0x04, 0x3E, UInt8(parameters.count)] + parameters
    }
  }

  private func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    big(number).reversed()
  }

  private func btsnoop(_ time: Int64) throws -> [UInt8] {
    try events().reduce(Array("btsnoop\0".utf8) + big(UInt32(1)) + big(UInt32(1002))) {
      let count = big(UInt32($1.count))
      return $0 + count + count + big(UInt32(3)) + big(UInt32(0)) + big(time &+ Self.epoch) + $1
    }
  }

  /// H4 with a direction in front; the format has 32 bits of seconds.
  private func pcap(seconds: UInt32, fraction: UInt32) throws -> [UInt8] {
    let header = [0xA1B2_C3D4, 0x0002_0004, 0, 0, 65_535, 201].flatMap { big(UInt32($0)) }
    return try events().reduce(header) {
      let packet = [0, 0, 0, 1] + $1
      let count = big(UInt32(packet.count))
      return $0 + big(seconds) + big(fraction) + count + count + packet
    }
  }

  /// With seconds that are added to each time: `if_tsoffset`, and a resolution of one second.
  private func pcapng(units: UInt64, offset: Int64) throws -> [UInt8] {
    func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
      let body = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
      return little(type) + little(UInt32(body.count + 12)) + body + little(UInt32(body.count + 12))
    }
    let section = little(UInt32(0x1A2B_3C4D)) + little(UInt16(1)) + little(UInt16(0))
    let options =
      little(UInt16(9)) + little(UInt16(1)) + [0, 0, 0, 0] + little(UInt16(14)) + little(UInt16(8))
      + little(offset) + little(UInt32(0))
    let interface = little(UInt16(187)) + little(UInt16(0)) + little(UInt32(0)) + options
    return try events().reduce(
      block(0x0A0D_0D0A, section + little(UInt64.max)) + block(1, interface)
    ) {
      let count = little(UInt32($1.count))
      return $0
        + block(
          6,
          little(UInt32(0)) + little(UInt32(units >> 32))
            + little(UInt32(truncatingIfNeeded: units))
            + count + count + $1)
    }
  }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = "\(luna.directory)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Every command takes the file and shows both advertisements, without a time.
  private func check(_ path: String) async throws {
    let scan = try await luna.run(["scan", "-r", path])
    #expect(scan.code == 0, "\(path): \(scan.errors)")
    let lines = scan.lines.filter { $0["type"] as? String == "advertisement" }
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0["time"] == nil && $0["data"] != nil }, "\(scan.output)")
    for words in [
      ["scan", "--summary"], ["scan", "--summary", "--format", "table"], ["scan", "--realtime"],
      ["scan", "--summary", "--format", "csv"], ["scan", "--format", "csv"], ["scan", "-T", "5s"],
      ["local"], ["local", "--realtime"], ["local", "--speed", "100000", "--epoch", "1700000000"],

    ] {
      let answer = try await luna.run(words + ["-r", path])
      #expect(answer.code == 0, "\(words) \(path): \(answer.code) \(answer.errors)")
      // The name of the folder is random, and may have it too.
      let output = answer.output.replacing(luna.directory, with: "")
      #expect(!output.contains("9999-"), "\(words) \(path): \(output)")
    }
    let finder = try await luna.run([
      "finder", "-r", path, "--location", "static:1,2", "--format", "jsonl",
    ])
    #expect(finder.code == 0, "\(path): \(finder.code) \(finder.errors)")
    let copy = luna.directory + "/copy.pcapng"
    let written = try await luna.run(["scan", "-r", path, "-w", copy])
    #expect(written.code == 0, "\(path): \(written.errors)")
    let again = try await luna.run(["scan", "-r", copy])
    #expect(again.lines.count { $0["type"] as? String == "advertisement" } == 2)
    try FileManager.default.removeItem(atPath: copy)
  }

  private func importKeys() async throws {
    #expect(try await luna.run(["owner", "import", "-"], input: TrackerRecording.keys).code == 0)
  }

  @Test(arguments: times) func btsnoopWithATimeThatCannotBe(_ time: Int64) async throws {
    try await importKeys()
    try await check(try write(try btsnoop(time), "extreme.btsnoop"))
  }

  @Test func pcapWithATimeThatCannotBe() async throws {
    try await importKeys()
    try await check(try write(try pcap(seconds: .max, fraction: .max), "extreme.pcap"))
  }

  private static let blocks: [(UInt64, Int64)] = [
    (.max, .max), (.max, .min), (0, .min), (0, .max), (1 << 62, 0), (0, 1 << 42), (0, -(1 << 42)),
  ]

  @Test(arguments: blocks)
  func pcapngWithATimeThatCannotBe(_ units: UInt64, _ offset: Int64) async throws {
    try await importKeys()
    try await check(try write(try pcapng(units: units, offset: offset), "extreme.pcapng"))
  }
}
