import LunaJSON
import Testing
import UplinkProtocol

struct RecordedTrafficTests {
  private let name: ReplayName

  init() throws { name = try #require(ReplayName("Luna-11252026")) }

  private func traffic() throws -> RecordedTraffic {
    try #require(RecordedTraffic(serverPort: 443))
  }

  // What changes something cannot be called within an expectation.
  private func connect(_ traffic: inout RecordedTraffic, _ port: UInt16) -> Int? {
    traffic.connect(from: port)
  }

  private func add(
    _ traffic: inout RecordedTraffic, _ bytes: [UInt8], from side: RecordedTraffic.Side,
    on connection: Int, at time: Double
  ) -> Bool {
    traffic.append(bytes, from: side, on: connection, at: time)
  }

  @Test func makesBothSides() throws {
    var traffic = try traffic()
    #expect(connect(&traffic, 40_000) == 0)
    #expect(add(&traffic, Array("abc".utf8), from: .client, on: 0, at: 0.25))
    #expect(add(&traffic, [1, 2], from: .server, on: 0, at: 0.5))
    #expect(add(&traffic, [3], from: .server, on: 0, at: 0.75))
    #expect(add(&traffic, [], from: .client, on: 0, at: 0.8))
    #expect(add(&traffic, [9], from: .client, on: 0, at: 1))
    #expect(traffic.count == 7)
    let (client, server) = try #require(try traffic.recordings(named: name))
    #expect(client.pairs.map(\.description) == ["127.000.000.001.40000-127.000.000.001.00443"])
    guard case .tcp(let requests) = client.packets else {
      Issue.record("not TCP")
      return
    }
    #expect(requests.map(\.payload) == [Array("abc".utf8), [9]])
    #expect(requests.map(\.answerLength) == [3, 0] && requests.map(\.time) == [0.25, 1])
    #expect(requests[0].answerHash?.count == 20 && requests[1].answerHash == nil)
    let exchange = try #require(server.connections.first?.exchanges.first)
    // The SHA-1 of "abc" (FIPS 180-4).
    #expect(exchange.requestHash?.prefix(3) == [0xA9, 0x99, 0x3E])
    #expect(exchange.answers.map(\.time) == [0.5, 0.75])
    try server.check(against: client)
    #expect(try Recording(client.json.bytes) == client)
    #expect(try ServerRecording(server.json.bytes) == server)
  }

  @Test func keepsConnectionsApart() throws {
    var traffic = try traffic()
    for port in 1...16 { #expect(connect(&traffic, UInt16(port)) == port - 1) }
    #expect(connect(&traffic, 17) == nil)
    #expect(add(&traffic, [1], from: .client, on: 0, at: 0))
    // This server speaks first.
    #expect(add(&traffic, [2], from: .server, on: 1, at: 0))
    #expect(add(&traffic, [3, 3], from: .server, on: 0, at: 0))
    let (client, server) = try #require(try traffic.recordings(named: name))
    guard case .tcp(let requests) = client.packets else {
      Issue.record("not TCP")
      return
    }
    #expect(requests.map(\.payload) == [[1], []] && requests.map(\.answerLength) == [2, 1])
    try server.check(against: client)
  }

  @Test func isNothingWithoutAClient() throws {
    #expect(RecordedTraffic(serverPort: 0) == nil)
    var traffic = try traffic()
    #expect(connect(&traffic, 0) == nil)
    #expect(try traffic.recordings(named: name) == nil)
    #expect(connect(&traffic, 1) == 0)
    #expect(add(&traffic, [1], from: .server, on: 0, at: 0))
    #expect(try traffic.recordings(named: name) == nil)
  }

  @Test func endsWhereFilesEnd() throws {
    var traffic = try traffic()
    #expect(!add(&traffic, [1], from: .client, on: 0, at: 0))
    _ = connect(&traffic, 1)
    #expect(!add(&traffic, [1], from: .client, on: 0, at: 600.5))
    #expect(!add(&traffic, [1], from: .client, on: 0, at: -1))
    let mebibyte = [UInt8](repeating: 7, count: 1 << 20)
    #expect(!add(&traffic, mebibyte + [7], from: .client, on: 0, at: 0))
    var count = 0
    while add(&traffic, mebibyte, from: .client, on: 0, at: 0) { count += 1 }
    #expect(count == 7)
    let (client, server) = try #require(try traffic.recordings(named: name))
    #expect(client.json.bytes.count <= RecordingLimits.file)
    #expect(server.json.bytes.count <= RecordingLimits.file)
  }
}
