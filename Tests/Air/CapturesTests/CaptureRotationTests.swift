import Bluetooth
import Captures
import Foundation
import LunaTesting
import Testing

/// Recordings in several files.
@Suite struct CaptureRotationTests {
  private let folder = TestFolder()

  /// 2026-11-23T14:59:58Z
  private static let start: Int64 = 1_795_445_998

  private func report(_ second: Int64, _ number: UInt64 = 1) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: Timestamp(microseconds: (Self.start + second) * 1_000_000), adapter: 0,
      address: BluetoothAddress(value: number), addressType: .random,
      payload: AdvertisingPayload([2, 1, 6]), rssi: -60)
    report.setLegacyPDU(.advNonconnInd)
    return report
  }

  private func record(
    _ reports: [AdvertisingReport], _ rotation: CaptureRotation, as name: String = "air.btsnoop",
    reading input: String? = nil
  ) async throws {
    let writer = try await CaptureWriter(
      path: "\(folder.path)/\(name)", reading: input, rotation: rotation)
    try await writer.write(reports)
    try await writer.finish()
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func read(_ name: String) throws -> [AdvertisingReport] {
    let decoded = Decoded([UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))))
    #expect(decoded.error == nil && decoded.diagnostics.total == 0, "\(name)")
    return decoded.reports
  }

  @Test func goesOnInANewFileAtEachMultiple() async throws {
    let reports = [report(0), report(1), report(2), report(3601), report(3602), report(9000)]
    try await record(reports, CaptureRotation(.seconds(3600)))
    #expect(
      try names == [
        "air-20261123T145958Z.btsnoop", "air-20261123T150000Z.btsnoop",
        "air-20261123T160000Z.btsnoop", "air-20261123T170000Z.btsnoop",
      ])
    #expect(try read("air-20261123T145958Z.btsnoop") == [reports[0], reports[1]])
    #expect(try read("air-20261123T150000Z.btsnoop") == [reports[2], reports[3]])
    #expect(try read("air-20261123T160000Z.btsnoop") == [reports[4]])
    #expect(try read("air-20261123T170000Z.btsnoop") == [reports[5]])
  }

  @Test(arguments: ["air.btsnoop", "air.pcapng"])
  func goesOnBeforeAFileIsTooLarge(_ name: String) async throws {
    let reports = (0..<100).map { report(Int64($0), UInt64($0)) }
    try await record(reports, CaptureRotation(.bytes(2000)), as: name)
    let names = try names
    #expect(names.count >= 3)
    for name in names {
      let file = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
      #expect(file[.size] as? Int ?? 0 <= 2000)
    }
    #expect(try names.flatMap { try read($0) } == reports, "nothing is lost, and in order")
    try await record([report(0)], CaptureRotation(.bytes(1)), as: name)
    #expect(
      try self.names.count == names.count + 1,
      "a file has one report at least, and a name of its own")
  }

  @Test func oldestGo() async throws {
    let others = [
      "air-20251123T150000Z.pcapng", "air-20251123T150000Z-1.btsnoop", "air-20251123.btsnoop",
      "air-20251123T150000Z-2.btsnoop~", "air.btsnoop", "fair-20251123T150000Z.btsnoop",
    ]
    for name in others + ["air-20251123T150000Z.btsnoop", "air-20251123T150000Z-2.btsnoop"] {
      try "mine".write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
    }
    let directory = "air-20241123T150000Z.btsnoop"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(directory)", withIntermediateDirectories: false)
    try await record([report(0)], CaptureRotation(.seconds(60), keeping: 2))
    #expect(
      try Set(names)
        == Set(
          others + [directory, "air-20251123T150000Z-2.btsnoop", "air-20261123T145958Z.btsnoop"]))
    try await record(
      [report(60), report(120), report(180)], CaptureRotation(.seconds(60), keeping: 2))
    #expect(
      try Set(names)
        == Set(
          others + [directory, "air-20261123T150100Z.btsnoop", "air-20261123T150200Z.btsnoop"]))
  }

  @Test func sparesTheFileThatIsRead() async throws {
    let input = "air-20251123T150000Z.btsnoop"
    try "mine".write(toFile: "\(folder.path)/\(input)", atomically: true, encoding: .utf8)
    try await record(
      [report(0), report(60)], CaptureRotation(.seconds(60), keeping: 1),
      reading: "\(folder.path)/\(input)")
    #expect(try names == [input, "air-20261123T150000Z.btsnoop"])
  }

  @Test(arguments: ["-", "/dev/null", "/nowhere/air.btsnoop"])
  func refusesWhatIsNoPlaceForFiles(_ path: String) async throws {
    await #expect(throws: SourceError.self) {
      _ = try await CaptureWriter(path: path, rotation: CaptureRotation(.seconds(60)))
    }
  }
}
