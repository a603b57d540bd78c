import Bluetooth
import HTTPServer
import LunaCore
import LunaFleet
import LunaJSON
import Testing

@testable import LunaBackend

/// What clients can do to each other: requests are answered as they are, without a server.
@Suite(.timeLimit(.minutes(10))) struct APILimitTests {
  private let place: StoragePlace
  private let storage: any Storage
  private let api: API

  init() async throws {
    place = try StoragePlace(.sqlite)
    storage = try await place.prepared()
    var configuration = BackendConfiguration()
    configuration.eventsPerSecond = 1
    configuration.now = { Samples.now }
    api = API(
      configuration, storage, Metrics(), .none, StorageOutage(.none), BrowserGuard(.off))
  }

  private func request(
    _ method: String, _ path: String, _ body: JSONValue? = nil, from client: UInt8 = 1,
    token: String? = nil
  ) -> HTTPRequest {
    var headers: [HTTPHeader] = []
    if body != nil { headers.append(HTTPHeader("Content-Type".utf8, "application/json".utf8)) }
    if let token { headers.append(HTTPHeader("Authorization".utf8, "Bearer \(token)".utf8)) }
    return HTTPRequest(
      id: "1", head: HTTPHead(method: method, target: path, headers: headers),
      client: ClientAddress([192, 0, 2, client]),
      body: body.map { Array($0.description.utf8) } ?? [])
  }

  /// A token of the gateway `kitchen`.
  private func token() async throws -> String {
    let token = try AccessToken(.gateway)
    try await storage.add(try token.record(name: "kitchen", at: Samples.now))
    return token.text
  }

  @Test func oneAddressDoesNotUseUpWhatAllMayOffer() async {
    let offer: JSONValue = [
      "publicKey": .string(String(repeating: "0", count: 64)),
      "tokenDigest": .string(String(repeating: "1", count: 64)),
      "signature": .string(String(repeating: "2", count: 128)),
    ]
    var codes: Set<String?> = []
    for _ in 0..<1000 {
      codes.insert(await api.answer(request("POST", "/v1/gateways", offer)).problemCode)
    }
    #expect(codes == ["notEnrolled", "rateLimited"])
    let other = await api.answer(request("POST", "/v1/gateways", offer, from: 2))
    #expect(other.problemCode == "notEnrolled")
  }

  @Test func samplesCountAsItemsDo() async throws {
    let samples = (0..<500).map { index -> JSONValue in
      [
        "time": .string(Samples.later(-Int64(index)).rfc3339),
        "health": ["uptime": .integer(Int64(index))],
      ]
    }
    let sent = request(
      "POST", "/v1/telemetry", ["samples": .array(samples)], token: try await token())
    // What is more than fits is taken once, and paid for afterwards.
    #expect(await api.answer(sent).status == 200)
    #expect(await api.answer(sent).status == 429)
  }

  @Test func aGatewayThatIsRemovedHoldsNothing() async throws {
    let check = request("GET", "/v1/uplink/session", token: try await token())
    try await api.fleet.adopt("kitchen", at: Samples.now)
    #expect(await api.holder(check) == "gateway:kitchen")
    try await api.fleet.change(by: "ann", at: Samples.now) { work throws(FleetFailure) in
      for gateway in try work.gateways(where: "key = $1", [.text("kitchen")]) {
        _ = try work.remove(gateway.id)
      }
    }
    #expect(await api.holder(check) == nil)
  }

  /// Anybody can sign out as often as they like, and each stream that is asked costs the storage something.
  @Test func listenersAreAskedOnceMoreHoweverManySignOut() async throws {
    let (asked, asks) = AsyncStream.makeStream(of: Void.self)
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let events = EventStream(mayGoOn: {
      asks.yield()
      for await _ in gate {}
      return true
    })
    let streams = api.streams
    let key = streams.newKey()
    let listener = StreamListener(events: events, topics: [], watched: [], session: nil)
    #expect(try await streams.add(listener, key: key, after: nil, limit: 3))
    let first = Task { await streams.checkRights() }
    for await _ in asked { break }
    for _ in 0..<50 { await streams.checkRights() }
    opener.finish()
    await first.value
    asks.finish()
    var more = 0
    for await _ in asked { more += 1 }
    #expect(more == 1)
    streams.remove(key)
    streams.stop()
  }

  @Test func aSessionHasNoMoreStreamsWhenTheyComeAtTheSameMoment() async throws {
    let streams = api.streams
    func added(_ session: String?) async throws -> Int {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let listener = StreamListener(
              events: EventStream(), topics: [], watched: [], session: session)
            return try await streams.add(
              listener, key: streams.newKey(), after: nil, limit: 3)
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
    }
    #expect(try await added("ann") == 3)
    // Another session has its own, and a token has none.
    #expect(try await added("ben") == 3)
    #expect(try await added(nil) == 20)
    streams.stop()
  }
}
