import Diagnosis
import Testing

@testable import UplinkProtocol

struct WebSocketOpeningTests {
  /// The key of RFC 6455, 1.3.
  private static let key = Array("the sample nonce".utf8)
  private static let accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
  private static let usual = [
    "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", accept,
    "Sec-WebSocket-Protocol: net.measurementlab.envelope",
  ]

  private func opening() throws -> WebSocketOpening {
    let url = try #require(WebSocketURL("wss://Luna.example:4443/v0/access?access_token=a.b"))
    return WebSocketOpening(url, subprotocol: "net.measurementlab.envelope", key: Self.key)
  }

  private func answer(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Where an address of IPv6 ends, and the port begins, only brackets tell.
  @Test func asksForAnAddressInBrackets() throws {
    let url = try #require(WebSocketURL("wss://[2001:db8::1]:8443/a"))
    #expect(url.isAddress && url.hostText == "[2001:db8::1]")
    let request = WebSocketOpening(url, subprotocol: nil, key: Self.key).request
    let lines = String(decoding: request, as: UTF8.self).split(separator: "\r\n")
    #expect(lines[1] == "Host: [2001:db8::1]:8443")
  }

  @Test func asks() throws {
    let request = String(decoding: try opening().request, as: UTF8.self)
    #expect(
      request == """
        GET /v0/access?access_token=a.b HTTP/1.1\r
        Host: luna.example:4443\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: net.measurementlab.envelope\r
        \r

        """)
  }

  @Test func isOpenAfterTheAnswer() throws {
    let bytes = answer(Self.usual) + [0x89, 0x00]
    for cut in 0...bytes.count {
      var opening = try opening()
      var rest = try opening.take(Array(bytes[..<cut]))
      if rest == nil {
        rest = try opening.take(Array(bytes[cut...]))
      } else {
        rest? += bytes[cut...]
      }
      #expect(rest == [0x89, 0x00])
    }
  }

  @Test func takesWhatMeansTheSame() throws {
    var opening = try opening()
    let lines = [
      "HTTP/1.1 101", "UPGRADE:\t WebSocket ", "connection: keep-alive", "Connection: Foo,upgrade",
      Self.accept, "Server: x",
    ]
    #expect(try opening.take(answer(lines)) == [])
  }

  @Test func refusesOtherAnswers() throws {
    func without(_ line: Int, _ other: String? = nil) -> [String] {
      var lines = Self.usual
      lines.remove(at: line)
      return lines + (other.map { [$0] } ?? [])
    }
    let wrong: [[String]] = [
      ["HTTP/1.1 200 OK", "Content-Type: text/html"], ["HTTP/1.1 403 Forbidden"],
      ["HTTP/1.1 302 Found", "Location: https://other.example/"], ["HTTP/1.0 101 x"], ["<html>"],
      [""], without(1), without(1, "Upgrade: h2c"), without(2), without(2, "Connection: close"),
      without(3), without(3, "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOp="),
      without(4, "Sec-WebSocket-Protocol: other"),
      Self.usual + ["Sec-WebSocket-Extensions: permessage-deflate"], Self.usual + ["no field"],
    ]
    for lines in wrong {
      var opening = try opening()
      let error = #expect(throws: WebSocketError.self) { try opening.take(answer(lines)) }
      #expect(error?.remedy != nil, "\(lines)")
    }
  }

  @Test(arguments: [
    ("401", "no token that it knows"), ("403", "no token that it knows"), ("404", "none there"),
    ("503", "no room"), ("500", "it answers 500"),
  ])
  func saysWhyItIsRefused(_ status: String, _ reason: String) throws {
    var opening = try opening()
    let error = #expect(throws: WebSocketError.self) {
      try opening.take(answer(["HTTP/1.1 \(status) x"]))
    }
    #expect(error?.reason.contains("it answers \(status)") == true)
    #expect(error?.reason.contains(reason) == true)
  }

  @Test func boundsTheHead() throws {
    var opening = try opening()
    let line = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
    for _ in 0..<8 { #expect(try opening.take(line) == nil) }
    #expect(throws: WebSocketError.self) { try opening.take(line) }
  }

  @Test(arguments: [
    ("wss://luna.example", "luna.example", 443, "/"),
    ("WSS://luna.example:4443?a=b", "luna.example", 4443, "/?a=b"),
    ("wss://192.0.2.1:1/a/b", "192.0.2.1", 1, "/a/b"), ("wss://[::1]", "::1", 443, "/"),
    ("wss://[2001:DB8::192.0.2.1]:8443?a", "2001:db8::192.0.2.1", 8443, "/?a"),
  ])
  func readsAddresses(_ text: String, _ host: String, _ port: Int, _ target: String) throws {
    let url = try #require(WebSocketURL(text))
    #expect(url.host == host && Int(url.port) == port && url.target == target)
  }

  @Test(arguments: [
    "", "wss://", "ws://luna.example", "https://luna.example", "wss://:4443/", "wss://a:0/",
    "wss://a:+1/", "wss://a:65536/", "wss://a:/", "wss://user@luna.example/", "wss://a:b@c/",
    "wss://a/\r\nX: y", "wss://a/ b", "wss://a/#b", "wss://a\u{0}.b/", "wss://::1/",
    "wss://\u{e4}.example/", "wss://[::1", "wss://[]/", "wss://[::1]a443/", "wss://[::1]:/",
    "wss://[luna.example]/", "wss://[::1%25lo]/", "wss://a[::1]/",
  ])
  func refusesOtherAddresses(_ text: String) {
    #expect(WebSocketURL(text) == nil)
  }
}
