import Bluetooth
import Captures
import Foundation
import LunaTesting
import Testing

/// `luna watch` as a user runs it, on recordings.
@Suite(.timeLimit(.minutes(10)))
struct WatchCommandTests {
  private let luna: Luna

  init() throws { luna = try Luna() }

  /// A home-made tag that is there for more than an hour, each minute.
  private func record() async throws -> String {
    // What the private key below sends, by the package cryptography of Python.
    let key: [UInt8] = [
      0x77, 0x48, 0x75, 0xC1, 0x0C, 0x8D, 0xA7, 0xFA, 0x0B, 0x23, 0xAC, 0x54, 0xAF, 0xA9,
      0x4E, 0xF8, 0x91, 0x3F, 0x48, 0xB8, 0x6E, 0x0D, 0x5D, 0x56, 0x26, 0x61, 0x14, 0xC3,
    ]
    let address = key[..<6].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } | 0xC000_0000_0000
    let bytes: [UInt8] =
      [0x1E, 0xFF, 0x4C, 0x00, 0x12, 0x19, 0x10] + key[6...] + [key[0] >> 6, 0]
    let reports = (0..<75).map { minute in
      var report = AdvertisingReport(
        time: Timestamp(microseconds: 1_700_000_000_000_000 + Int64(minute) * 60_000_000),
        adapter: 0, address: BluetoothAddress(value: address), addressType: .random,
        payload: AdvertisingPayload(bytes), rssi: -61)
      report.setLegacyPDU(.advNonconnInd)
      return report
    }
    let path = luna.directory + "/hour.btsnoop"
    let writer = try await CaptureWriter(path: path, replacing: true)
    try await writer.write(reports)
    try await writer.finish()
    return path
  }

  private func watch(_ path: String) async throws -> (found: [String], excluded: [String]) {
    let answer = try await luna.run(["watch", "-r", path, "--format", "jsonl"])
    // Nothing has reached suspect.
    #expect(answer.code == 1, "\(answer.errors)")
    func words(_ type: String, _ name: String) -> [String] {
      answer.lines.filter { $0["type"] as? String == type }.compactMap { $0[name] as? String }
    }
    return (words("suspect", "grade"), words("excluded", "why"))
  }

  /// Trackers of other makers are known by their keys as well.
  @Test func whatIsKnownByItsKeysIsListedAndNotJudged() async throws {
    let path = try await record()
    let stranger = try await watch(path)
    #expect(stranger.found == ["notice"] && stranger.excluded.isEmpty)
    let key = "Private key: r8Tr7xLHyWyQ3wgX/y+2nzq60XOe8y+BIvtTPA==\n"
    #expect(try await luna.run(["owner", "import", "-"], input: key).code == 0)
    let own = try await watch(path)
    #expect(own.found.isEmpty && own.excluded == ["own"])
  }
}
