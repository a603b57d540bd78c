import HTTPServer
import LunaJSON
import LunaTesting
import Testing
import UplinkProtocol

@testable import LunaUplink

/// Two servers for clients of Wehe's on loopback, which locate a difference together.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct WehePlacesTests {
  private static let answer = 100_000
  private static let hosts = ["127.0.0.1", "127.0.0.2"]

  private let authority: TestAuthority
  /// Side channel plain and TLS, results plain and TLS, data; the same for both.
  private let ports: [UInt16]
  private let services: [WeheService]
  private let listeners: [HTTPListener]

  init() throws {
    authority = try TestAuthority()
    let certified = try authority.certify("DNS:wehe.example")
    var free: Set<UInt16> = []
    while free.count < 5 { free.insert(freePort()) }
    ports = Array(free)
    var recordings = WeheRecordings()
    try recordings.add(Recording(Array(Self.recording(ports[4]).utf8)), nil)
    var neighbours = WeheNeighbours()
    neighbours.pairs = [try #require(ServerPair(Self.hosts.joined(separator: ",")))]
    neighbours.variations = (1...40).map { Double($0) / 4 }
    neighbours.port = ports[2]
    var services: [WeheService] = []
    var listeners: [HTTPListener] = []
    for host in Self.hosts {
      let made = WeheService(
        recordings, certificate: certified.certificate, key: certified.key,
        neighbours: neighbours, date: { "2026-11-25 23:20:31" })
      let service = try #require(made)
      listeners += try service.start(on: host, ports: Array(ports[..<4]))
      services.append(service)
    }
    self.services = services
    self.listeners = listeners
  }

  private func stop() async {
    for service in services { await service.stop() }
    for listener in listeners { #expect(await listener.stop(within: .seconds(300))) }
  }

  private static func recording(_ port: UInt16) -> String {
    let text = String(port)
    let digits = String(repeating: "0", count: 5 - text.utf8.count) + text
    let pair = "127.000.000.001.40000-127.000.000.001.\(digits)"
    return #"[[{"c_s_pair":"\#(pair)","timestamp":0,"payload":"68656c6c6f","#
      + #""response_len":\#(answer),"response_hash":null}],[],["\#(pair)"],"Luna-11252026"]"#
  }

  /// Makes an original with a server, and says that it was so fast, Mbit/s.
  private func replay(_ host: String, history: Int, rate: Double) throws {
    let side = try #require(TestSocket(port: ports[0], host: host))
    side.say("abcdefghi1;0;Luna-11252026;x;\(history);False;127.0.0.1;1.0")
    side.say("[-1, null, null]")
    #expect(side.message() == "1;127.0.0.1;100")
    side.say("NoIperf")
    side.say("NoMobileStats")
    #expect(side.message().contains("127.000.000.001"))
    #expect(side.message() == "0")
    let data = try #require(TestSocket(port: ports[4], host: host))
    data.send("hello")
    #expect(data.receive(Self.answer).count == Self.answer)
    side.say("DONE;0.1")
    let rates = (0..<31).map { rate + Double($0) / 1_000 }
    side.say("[\(rates),\((1...31).map { Double($0) })]")
    #expect(side.message() == "OK")
    side.say("Result;No")
    #expect(side.message() == "OK" && side.receive(1).isEmpty)
  }

  /// What a server answers to a form, or to a query.
  private func ask(_ host: String, form: String? = nil, query: String = "") async throws
    -> JSONValue
  {
    var client = WeheClient(try await ServerAddress.find(host))
    client.resultsPort = ports[2]
    let (http, url) = try client.results()
    let event =
      if let form {
        await WeheClient.ask(http, "POST", url, Array(form.utf8))
      } else {
        await WeheClient.ask(http, "GET", "\(url)?\(query)", nil)
      }
    guard case .answered(let bytes) = event else {
      Issue.record("no answer")
      return .null
    }
    return try JSONReader.read(bytes)
  }

  /// The question of a client that has named the second server so.
  private func question(_ second: String) -> String {
    func info(_ server: String, _ history: Int) -> String {
      #"{"server":"\#(server)","historyCount":"\#(history)","replayPort":"\#(ports[4])"}"#
    }
    return "command=localize&userID=abcdefghi1&testID=0&kwargs={}"
      + "&server1Info=\(info(Self.hosts[0], 4))&server2Info=\(info(second, 5))"
      + #"&singleServerInfo={"singleReplay_server":"\#(Self.hosts[0])","#
      + #""singleReplay_historyCount":"3"}"#
  }

  private func member(_ name: String, of json: JSONValue?) -> JSONValue? {
    guard case .object(let object)? = json else { return nil }
    return object[name]
  }

  private func speeds() async throws -> JSONValue? {
    let query = "command=localizeResult&userID=abcdefghi1&testID=0&historyCounts=%5B4%2C5%5D"
    let answer = try await ask(Self.hosts[0], query: query)
    #expect(member("success", of: answer) == .bool(true))
    return member("pairsum_vs_single_xput", of: member("response", of: answer))
  }

  @Test func locatesWithItsNeighbour() async throws {
    let pairs = try await ask(Self.hosts[0], query: "command=getServers")
    let list = member("server-ip-pairs", of: member("response", of: pairs))
    #expect(list == .array([.array([.string("127.0.0.1"), .string("127.0.0.2"), .string("")])]))
    try replay(Self.hosts[0], history: 3, rate: 4)
    try replay(Self.hosts[0], history: 4, rate: 2)
    try replay(Self.hosts[1], history: 5, rate: 2)
    let success = try await ask(Self.hosts[0], form: question(Self.hosts[1]))
    #expect(success == .object(["success": true]))
    // Both together are as fast as the one alone.
    guard case .real(let p)? = member("mwuPVal", of: try await speeds()) else {
      Issue.record("speeds were not compared")
      return
    }
    #expect(p < 0.05)
    // Whoever is not of a pair is not asked, although it would know: it is the same server by another name.
    let other = try await ask(Self.hosts[0], form: question("127.2"))
    #expect(other == .object(["success": true]))
    #expect(try await speeds() == nil)
    await stop()
  }

  /// What the kernel knows of a connection is there, for servers that ask.
  @Test func readsTheKernelsCounters() async throws {
    try replay(Self.hosts[0], history: 3, rate: 4)
    let query = "command=getMeasurements&userID=abcdefghi1&historyCount=3&testID=0"
    let answer = try await ask(
      Self.hosts[0], query: "\(query)&measurementType=minRttAndDuration&kwargs=%7B%7D")
    let result = member("result", of: member("measurements", of: answer))
    guard case .real(let roundTrip)? = member("minRtt", of: result) else {
      Issue.record("no round trip: \(answer)")
      return
    }
    #expect(roundTrip > 0 && roundTrip < 10)
    let stranger = try await ask(Self.hosts[1], form: question(Self.hosts[0]))
    #expect(member("error", of: stranger) == .string("No result found"))
    await stop()
  }
}
