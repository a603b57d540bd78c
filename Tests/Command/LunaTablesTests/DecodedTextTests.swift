import Bluetooth
import LunaDocuments
import Testing

@testable import LunaTables

@Suite struct DecodedTextTests {
  @Test func hasALineForEachThingSaid() {
    let data: [UInt8] = [2, 1, 6, 5, 9, 0x4C, 0x75, 0x6E, 0x61, 3, 3, 0xED, 0xFE]
    let lines = DecodedText.lines(
      of: DecodedDocument(data: data, address: nil).report, isWhole: false)
    let words = lines.map { $0.split(separator: " ").map { String($0) } }
    #expect(words.contains(["0x01", "Flags", "06"]))
    #expect(words.contains(["name", "Luna"]))
    #expect(words.contains(["malformed", "no"]))
    #expect(words.contains(["beacon", "tile"]))
    #expect(!lines.contains { $0.hasPrefix("addressType") }, "of the data alone")
  }

  @Test func cutsNothing() {
    let data: [UInt8] = [200, 0xFF] + [UInt8](repeating: 0xAB, count: 199)
    let lines = DecodedText.lines(
      of: DecodedDocument(data: data, address: nil).report, isWhole: false)
    #expect(lines.contains { $0.hasSuffix(String(repeating: "ab", count: 199)) })
  }

  /// On a terminal no line is torn where that can be helped; each byte stands there all the same.
  @Test(arguments: [40, 80])
  func fitsATerminal(_ width: Int) throws {
    let data = try #require(
      Hex.bytes("0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5"))
    let report = DecodedDocument(data: data, address: nil).report
    let lines = DecodedText.lines(of: report, isWhole: false, width: width)
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0") })
    func words(_ lines: [String]) -> String {
      String(lines.joined().filter { $0 != " " })
    }
    #expect(words(lines) == words(DecodedText.lines(of: report, isWhole: false)))
  }
}
