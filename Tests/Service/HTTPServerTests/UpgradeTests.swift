import Testing

@testable import HTTPServer

/// Connections that change to another protocol (RFC 9110, 7.8), through the real library, over loopback.
@Suite(.timeLimit(.minutes(10))) struct UpgradeTests {
  @Test func bytesGoBothWaysAndNoneIsLost() async throws {
    let board = try Switchboard()
    let client = try Client(board.address)
    // What comes right behind the request is of the other protocol.
    client.send(
      "GET /line HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, upgrade\r\nUpgrade: other/2, Echo\r\n\r\nearly"
    )
    let connection = try #require(await board.next())
    let head = await client.answer(until: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 101 "))
    #expect(head.contains("\r\nUpgrade: echo\r\n"))
    #expect(head.contains("\r\nConnection: Upgrade\r\n"))
    #expect(head.contains("\r\nEcho-Pitch: a\r\n"))
    client.send(" and late")
    #expect(await connection.read(14, after: connection.early) == "early and late")
    connection.send("GET is a word here")
    #expect(await client.answer(until: "here") == "GET is a word here")
    #expect(board.listener.upgradedConnections == 1)
    connection.close()
    connection.close()
    #expect(await client.answer() == "")
    #expect(board.listener.upgradedConnections == 0)
    #expect(await board.listener.stop(within: .seconds(300)))
  }

  @Test(arguments: [
    "", "Upgrade: echo\r\n", "Connection: Upgrade\r\n",
    "Connection: close-upgrade\r\nUpgrade: echo\r\n",
    "Connection: Upgrade\r\nUpgrade: echo/2, echos\r\n",
  ])
  func nothingIsSpokenThatWasNotOffered(headers: String) async throws {
    let board = try Switchboard()
    let client = try board.client(headers)
    let head = await client.answer(until: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 426 "))
    #expect(head.contains("\r\nUpgrade: echo\r\n"))
    #expect(board.listener.upgradedConnections == 0)
    // The connection is still HTTP.
    client.get("/")
    #expect(await client.answer(until: "\r\n\r\nword").contains("HTTP/1.1 200 "))
    #expect(await board.listener.stop(within: .seconds(300)))
  }

  @Test func anOlderVersionIsNotUpgraded() async throws {
    let board = try Switchboard()
    let client = try Client(board.address)
    client.send("GET /line HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
    #expect(await client.answer().hasPrefix("HTTP/1.1 426 "))
    #expect(await board.listener.stop(within: .seconds(300)))
  }

  @Test func otherRequestsMayOfferAProtocol() async throws {
    let board = try Switchboard()
    let client = try Client(board.address)
    client.get("/", "Connection: Upgrade\r\nUpgrade: echo\r\n")
    #expect(await client.answer(until: "word").hasPrefix("HTTP/1.1 200 "))
    #expect(await board.listener.stop(within: .seconds(300)))
  }

  @Test func thereAreAsManyAsMayBe() async throws {
    let board = try Switchboard(upgrades: 1)
    let first = try board.client()
    let connection = try #require(await board.next())
    _ = await first.answer(until: "\r\n\r\n")
    let second = try board.client()
    #expect(await second.answer(until: "\r\n\r\n").hasPrefix("HTTP/1.1 503 "))
    connection.close()
    #expect(await first.answer() == "")
    let third = try board.client()
    let other = try #require(await board.next())
    #expect(await third.answer(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
    other.close()
    #expect(await board.listener.stop(within: .seconds(300)))
  }

  @Test func aServerWithoutThemHasNone() async throws {
    let board = try Switchboard(upgrades: 0)
    let client = try board.client()
    #expect(await client.answer(until: "\r\n\r\n").hasPrefix("HTTP/1.1 503 "))
    #expect(await board.listener.stop(within: .seconds(300)))
  }

  @Test func aClientThatGoesAwayIsSeen() async throws {
    let board = try Switchboard()
    let client = try board.client()
    let connection = try #require(await board.next())
    client.hangUp()
    #expect(await connection.read(1) == "")
    connection.close()
    #expect(await board.listener.stop(within: .seconds(300)))
    #expect(board.listener.upgradedConnections == 0)
  }

  @Test func aServerThatStopsEndsThem() async throws {
    let board = try Switchboard()
    let client = try board.client()
    let connection = try #require(await board.next())
    _ = await client.answer(until: "\r\n\r\n")
    async let isStopped = board.listener.stop(within: .seconds(300))
    // Nobody says anything: the server does.
    #expect(await connection.read(1) == "")
    connection.close()
    let hasStopped = await isStopped
    #expect(hasStopped)
    #expect(await client.answer() == "")
  }

  @Test func protocolsAreReadFromAllLinesInTheirOrder() {
    func offered(_ version: String, _ headers: [(String, String)]) -> [String] {
      let fields = headers.map { HTTPHeader($0.0.utf8, $0.1.utf8) }
      return HTTPHead(method: "GET", target: "/", version: version, headers: fields)
        .offeredProtocols
    }
    let lines = [
      ("Connection", " keep-alive ,\tUPGRADE "), ("upgrade", " b/2 , ,A"), ("Upgrade", "c"),
    ]
    #expect(offered("HTTP/1.1", lines) == ["b/2", "a", "c"])
    #expect(offered("HTTP/1.0", lines) == [])
    #expect(offered("HTTP/1.1", [("Upgrade", "a")]) == [])
    #expect(offered("HTTP/1.1", [("Connection", "upgrade")]) == [])
  }
}
