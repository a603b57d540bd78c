import LunaBackend
import LunaJSON
import Testing

@Suite struct GraymapTests {
  private func picture(_ head: String, _ count: Int) throws(FormatError) -> Graymap {
    try Graymap(Array(head.utf8) + [UInt8](repeating: 7, count: count))
  }

  @Test func readsWhatPagesSend() throws {
    let picture = try picture("P5\n3 2\n255\n", 6)
    #expect((picture.width, picture.height) == (3, 2))
    #expect(picture.pixels == [7, 7, 7, 7, 7, 7])
    #expect(try self.picture("P5 800 800 255\n", 640_000).pixels.count == 640_000)
    #expect(Array("P5 800 800 255\n".utf8).count + 640_000 <= Graymap.bytes)
  }

  @Test(arguments: [
    ("", 0), ("P5", 0), ("P4\n3 2\n255\n", 6), ("P53 2 255\n", 6), ("P5\n3 2\n255\n", 5),
    ("P5\n3 2\n255\n", 7), ("P5\n0 2\n255\n", 0), ("P5\n801 1\n255\n", 801),
    ("P5\n1 801\n255\n", 801), ("P5\n3 2\n65535\n", 12), ("P5\n3 2\n254\n", 6),
    ("P5\n-3 2\n255\n", 6), ("P5\n3 2\n255", 6), ("P5\n99999999999999999999 1\n255\n", 1),
    ("P5\n# a comment\n3 2\n255\n", 6),
  ])
  func refusesOthers(_ head: String, _ count: Int) {
    #expect(throws: FormatError.self) { try picture(head, count) }
  }
}
