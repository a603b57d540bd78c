import Testing
import UplinkProtocol

struct WeheFrameTests {
  private func messages(
    _ chunks: [String], limit: Int = WeheFrame.limit
  ) throws(ReplayError) -> [String] {
    var reader = WeheFrameReader()
    var messages: [String] = []
    for chunk in chunks {
      reader.append(Array(chunk.utf8))
      while let message = try reader.next(limit: limit) {
        messages.append(String(decoding: message, as: UTF8.self))
      }
    }
    return messages
  }

  @Test func countsBytes() {
    #expect(WeheFrame.bytes(Array("ä".utf8)) == Array("0000000002ä".utf8))
    #expect(WeheFrame.bytes([]) == Array("0000000000".utf8))
  }

  @Test func readsWhateverTheParts() throws {
    let text = "0000000002OK00000000000000000009Result;No"
    let expected = ["OK", "", "Result;No"]
    #expect(try messages([text]) == expected)
    #expect(try messages(text.map { String($0) }) == expected)
    // The server sends head and message apart.
    #expect(try messages(["0000000002", "OK"]) == ["OK"])
    #expect(try messages(["0000000002O"]).isEmpty)
  }

  @Test(arguments: [
    "9999999999", "-000000001", "+000000002OK", "0x00000002", "OK", " 000000002OK", "000000000\0",
    "00000000 2OK", "0000262145", "x", "0000000002OK7:",
  ])
  func refuses(_ text: String) {
    let error = #expect(throws: ReplayError.self) { try messages([text]) }
    #expect(error?.kind == .malformed)
  }

  @Test func takesAMapThatIsLonger() throws {
    let text = "0000262145" + String(repeating: "x", count: 262_145)
    #expect(try messages([text], limit: WeheFrame.mapLimit).count == 1)
    #expect(throws: ReplayError.self) {
      try messages(["0001048577"], limit: WeheFrame.mapLimit)
    }
  }
}
