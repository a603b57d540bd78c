import Foundation
import Testing

/// The recorded captures in `Tests/captures`, and what `SOURCES.md` there says of them.
struct CaptureData: Sendable, CustomTestStringConvertible {
  let name: String
  /// Records in the file.
  let packets: UInt64
  let reports: Int
  let wrongChecksums: UInt64

  var testDescription: String { name }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../captures")

  var path: String { CaptureData.folder.appending(path: name).path }

  func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  init(_ name: String, packets: UInt64, reports: Int, wrongChecksums: UInt64 = 0) {
    self.name = name
    self.packets = packets
    self.reports = reports
    self.wrongChecksums = wrongChecksums
  }

  static let all = [
    CaptureData("btsnoop-rs_btmon.btsnoop", packets: 554, reports: 0),
    CaptureData("btsnoop-rs_android.btsnoop", packets: 222, reports: 12),
    CaptureData("btsnooper_cassia-lab.btsnoop", packets: 7249, reports: 465),
    CaptureData("horizon74_home-scan.btsnoop", packets: 2572, reports: 412),
    CaptureData("oppo-earbuds_110149.cfa", packets: 1011, reports: 103),
    CaptureData("oppo-earbuds_111441.cfa", packets: 633, reports: 91),
    CaptureData("oppo-earbuds_empty.cfa", packets: 0, reports: 0),
    // Of the radio captures, those frames count as right in SOURCES.md where tshark gave up before
    // it came to the checksum, which is wrong: 46, 160 and 76.
    CaptureData(
      "boston-mesh_hackrf-20ch.pcap", packets: 2536, reports: 1985 - 46, wrongChecksums: 215),
    CaptureData(
      "boston-mesh_adv38_2.pcap", packets: 8830, reports: 5943 - 160, wrongChecksums: 1032),
    CaptureData(
      "boston-mesh_all_adv.pcapng", packets: 3755, reports: 2500 - 76, wrongChecksums: 449),
    CaptureData("pact_iphone11_nordic.pcapng", packets: 3431, reports: 3431),
    CaptureData("whad_btmesh.pcap", packets: 257, reports: 257),
    CaptureData("crackle_le-sc.pcapng", packets: 303, reports: 42),
  ]

  /// A file in a folder of its own, which goes when `body` is done.
  static func withScratchFile<Result>(
    _ name: String, isolation: isolated (any Actor)? = #isolation,
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "luna-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: name).path)
  }
}
