import Testing

@testable import UplinkProtocol

/// What goes and comes in a slot of commands.
struct CommandSlotTests {
  private static let token = String(repeating: "0a", count: 16)
  private static let head =
    "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 2048\r\nContent-Type: y\r\n\r\n"

  @Test(arguments: ["a", "luna.example", "::1", String(repeating: "a", count: 200)])
  func aRequestHas300Bytes(_ host: String) {
    let request = CommandSlot.makeRequest(Self.token, to: host)
    #expect(request.count == 300)
    let text = String(decoding: request, as: UTF8.self)
    #expect(text.hasPrefix("GET /v1/uplink/slot/\(Self.token) HTTP/1.1\r\nHost: \(host)\r\n"))
    #expect(text.hasSuffix("\r\n\r\n") && text.split(separator: Character("\r\n")).count == 3)
  }

  /// No field is without a value.
  @Test func aNameThatIsTooLongMakesItLonger() {
    let request = CommandSlot.makeRequest(Self.token, to: String(repeating: "a", count: 253))
    #expect(request.count > 300 && request.suffix(6).first == UInt8(ascii: " "))
  }

  @Test(arguments: [1, 2, 40, 100, 4_096])
  func anAnswerComesInPieces(_ size: Int) {
    let whole = Array(Self.head.utf8) + [UInt8](repeating: 10, count: 2_048)
    var answer = CommandAnswer()
    for start in stride(from: 0, to: whole.count, by: size) {
      #expect(!answer.isWhole)
      let isGood = answer.take(Array(whole[start..<min(whole.count, start + size)]))
      #expect(isGood)
    }
    #expect(answer.isWhole && answer.count == whole.count)
    // Nobody has asked for more.
    let isGood = answer.take([0])
    #expect(!isGood)
  }

  @Test(arguments: [
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2048\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 53248\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: luna-commands\r\n\r\n", "\r\n\r\n",
    String(repeating: "a", count: 8 << 10),
  ])
  func anythingElseIsNone(_ text: String) {
    var answer = CommandAnswer()
    let isGood = answer.take(Array(text.utf8))
    #expect(!isGood && !answer.isWhole)
  }
}
