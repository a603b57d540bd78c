import Bluetooth
import HTTPServer
import LunaCore
import LunaJSON
import LunaWire
import Testing

@testable import LunaBackend

/// A request that comes again with its key is done once.
@Suite(.timeLimit(.minutes(10))) struct IdempotencyTests {
  private let api: API
  private let storage: any Storage
  private let place: StoragePlace
  private let owner: AccessToken

  init() async throws {
    place = try StoragePlace(.sqlite)
    storage = try await place.prepared()
    var configuration = BackendConfiguration()
    configuration.now = { Samples.now }
    api = API(configuration, storage, Metrics(), .none, StorageOutage(.none), BrowserGuard(.off))
    owner = try AccessToken(.owner)
    try await storage.add(try owner.record(name: "me", at: Samples.now))
  }

  private func post(
    _ path: String, _ body: JSONValue, key: String?, token: AccessToken? = nil
  ) async throws -> (status: Int, body: JSONObject) {
    var headers = [HTTPHeader("content-type".utf8, "application/json".utf8)]
    if let key { headers.append(HTTPHeader("idempotency-key".utf8, key.utf8)) }
    if let token { headers.append(HTTPHeader("authorization".utf8, "Bearer \(token.text)".utf8)) }
    let answer = await api.answer(
      HTTPRequest(
        id: "1",
        head: HTTPHead(method: "POST", target: path, version: "HTTP/1.1", headers: headers),
        client: ClientAddress([127, 0, 0, 1]), body: Array(body.description.utf8)))
    guard case .object(let object) = try JSONReader.read(answer.body) else {
      return (answer.status, [:])
    }
    return (answer.status, object)
  }

  @Test func aCommandIsQueuedOnce() async throws {
    func submit(_ number: Int, key: String?) async throws -> (status: Int, id: String?) {
      let body: JSONValue = [
        "controlPackages": [Samples.package(number).json],
        "expiresAt": .string(Samples.later(60).rfc3339),
      ]
      let answer = try await post("/v1/commands", body, key: key, token: owner)
      guard case .string(let id)? = answer.body["requestId"] else { return (answer.status, nil) }
      return (answer.status, id)
    }
    let (status, first) = try await submit(1, key: "a")
    #expect(status == 201 && first != nil)
    let again = try await submit(1, key: "a")
    #expect(again.status == 201 && again.id == first)
    // Another key, another body, and no key are another one.
    var ids: Set = [first]
    for (number, key) in [(1, "b"), (2, "a"), (1, nil), (1, nil), (1, "")] as [(Int, String?)] {
      ids.insert(try await submit(number, key: key).id)
    }
    #expect(ids.count == 6 && !ids.contains(nil))
    let long = try await submit(1, key: String(repeating: "k", count: 65))
    #expect(long.status == 400 && long.id == nil)
  }

  @Test func aCodeGivesAnotherTokenToWhoHasLostTheFirst() async throws {
    let code = try EnrolmentCode()
    try await storage.add(try code.record(name: "kitchen", until: Samples.later(60)))
    func enrol(key: String?) async throws -> (status: Int, token: String?) {
      let answer = try await post("/v1/gateways", ["code": .string(code.text)], key: key)
      guard case .string(let token)? = answer.body["token"] else { return (answer.status, nil) }
      return (answer.status, token)
    }
    let first = try await enrol(key: "a")
    let second = try await enrol(key: "a")
    #expect(first.status == 201 && second.status == 201)
    #expect(first.token != second.token)
    func isLive(_ text: String?) async throws -> Bool {
      let token = try #require(AccessToken(text ?? ""))
      return try await storage.token(AccessToken.id(try token.digest()))?.revokedAt == nil
    }
    #expect(try await !isLive(first.token))
    #expect(try await isLive(second.token))
    for key in ["b", nil] {
      let answer = try await enrol(key: key)
      #expect(answer.status == 403 && answer.token == nil)
    }
    #expect(try await isLive(second.token))
  }
}
