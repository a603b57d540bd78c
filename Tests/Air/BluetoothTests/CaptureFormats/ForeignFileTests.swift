import Diagnosis
import LunaTesting
import Testing

@testable import Bluetooth

@Suite struct ForeignFileTests {
  @Test(
    arguments: [
      ([], "empty"),
      ([0x1F, 0x8B, 8, 0, 0], "gzip"),
      ([0x28, 0xB5, 0x2F, 0xFD, 4], "zstd"),
      (Array("PK".utf8) + [3, 4, 20, 0], "zip"),
      ([0x7F] + Array("ELF".utf8) + [2, 1, 1], "program"),
      (Array("[{\"_index\": 1}]".utf8), "JSON"),
      (Array("  {\"type\":\"start\"}\n".utf8), "JSON"),
      (Array("> HCI Event: LE Meta Event\n".utf8), "text"),
      // length 18, seconds, microseconds, type 1 (event)
      ([0, 0, 0, 18, 0x60, 0, 0, 0, 0, 1, 2, 3, 1, 0x0E, 4], "PacketLogger"),
      ([18, 0, 0, 0, 0, 0, 0, 0x60, 3, 2, 1, 0, 1, 0x0E, 4], "PacketLogger"),
      // length 7, incoming, seconds, microseconds, an H4 event
      ([7, 0, 1, 0, 0x10, 0x20, 0x30, 0x60, 1, 2, 3, 0, 4, 0x0E, 4], "hcidump"),
      ([4, 0x3E, 12, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0xC0], "H4"),
      (Array("snoop".utf8) + [0, 0, 0, 0, 0, 0, 2], "snoop"),
      ([0xFE, 0xFE, 0, 0, 1, 2, 3, 4], "unknown"),
      (Array("btsnoop".utf8) + [0, 0, 0], "header"),
      ([0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0], "header"),
      ([0x0A, 0x0D, 0x0D, 0x0A], "header"),
      ([0x0A, 0x0D, 0x0D, 0x0A, 0x1C, 0, 0, 0, 0x4D, 0x3C, 0x2B], "header"),
    ] as [([UInt8], String)])
  func saysWhatAFileSeemsToBe(_ bytes: [UInt8], _ word: String) {
    let file = Decoded(bytes)
    #expect(file.error?.kind == .unreadable)
    #expect(file.error?.reason.contains(word) == true, "\(file.error?.reason ?? "no error")")
    #expect(file.format == nil && file.reports.isEmpty)
  }

  @Test func waitsForEnoughBytesToTell() throws {
    var decoder = CaptureDecoder()
    var position = 0
    let bytes = Array("btsn".utf8)
    let isKnown = try decoder.readHeader(bytes.span, at: &position, isEnd: false)
    #expect(!isKnown)
  }

  @Test func namesWhatIsSupported() {
    #expect(Decoded([1]).error?.remedy?.description.contains("btsnoop") == true)
    #expect(Decoded([1]).error?.remedy?.description.contains("272") == true)
  }
}
