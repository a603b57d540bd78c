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
}
