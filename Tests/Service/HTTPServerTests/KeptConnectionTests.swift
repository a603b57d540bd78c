import Testing

@testable import HTTPServer

/// Connections that stay open between requests, over loopback.
@Suite("Connections that are kept", .timeLimit(.minutes(10)))
struct KeptConnectionTests {
  @Test("Beyond so many, an answer ends its connection; before that, and afterwards, none does")
  func endsThoseTooMany() async throws {
    var limits = HTTPLimits()
    limits.keptConnections = 2
    let room = try Room(limits)
    let clients = [try Client(room.address), try Client(room.address)]
    for client in clients + clients {
      client.get("/word")
      let answer = await client.answer(until: "word")
      #expect(answer.hasPrefix("HTTP/1.1 200") && !answer.contains("Connection: close"))
    }
    let third = try Client(room.address)
    third.get("/word")
    // Up to its end: the server closes it.
    let answer = await third.answer()
    #expect(answer.contains("Connection: close") && answer.hasSuffix("word"))
    // A stream is no request that is done.
    let watcher = try room.client()
    let stream = await watcher.answer(until: "you\n")
    #expect(!stream.contains("Connection: close"))
    _ = await room.listener.stop(within: .seconds(5))
  }

  @Test("An answer that says that more is to come keeps its connection, which has its own number")
  func keepsThoseThatGoOn() async throws {
    var limits = HTTPLimits()
    limits.keptConnections = 0
    let listener = HTTPListener(limits: limits) { request in
      let text = "number \(request.head.connection)!"
      var response = HTTPResponse(200, "text/plain", Array(text.utf8))
      response.staysOpen = request.head.path == "/more"
      return response
    }
    let address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    let client = try Client(address)
    for _ in 0..<3 {
      client.get("/more")
      let answer = await client.answer(until: "!")
      #expect(answer.hasSuffix("number 1!") && !answer.contains("Connection: close"))
    }
    let other = try Client(address)
    other.get("/once")
    let answer = await other.answer()
    #expect(answer.hasSuffix("number 2!") && answer.contains("Connection: close"))
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test(
    "What comes behind chunks is no request: another reader may see their end elsewhere",
    arguments: ["\r\n", "\n"])
  func endsThoseWithChunks(end: String) async throws {
    let listener = HTTPListener(limits: HTTPLimits()) { request in
      HTTPResponse(200, "text/plain", Array("got \(request.body.count) bytes".utf8))
    }
    let address = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0))
    let client = try Client(address)
    client.send(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;a\(end)[]\(end)0\(end)\(end)"
        + "GET /behind HTTP/1.1\r\nHost: x\r\n\r\n")
    // Up to its end: the server closes it.
    let answer = await client.answer()
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("Connection: close"))
    #expect(answer.hasSuffix("got 2 bytes"))
    #expect(await listener.stop(within: .seconds(300)))
  }
}
