import Bluetooth
import HTTPServer
import LunaCore
import LunaJSON
import Testing

@testable import LunaBackend

/// The pairs of servers that a backend tells of.
@Suite(.timeLimit(.minutes(10))) struct UplinkPairsTests {
  private let place: StoragePlace
  private let storage: any Storage

  init() async throws {
    place = try StoragePlace(.sqlite)
    storage = try await place.prepared()
  }

  private func answer(_ pairs: [[String]], isKnown: Bool = true) async throws -> HTTPResponse {
    var configuration = BackendConfiguration()
    configuration.uplinkPairs = pairs
    configuration.now = { Samples.now }
    let api = API(
      configuration, storage, Metrics(), .none, StorageOutage(.none), BrowserGuard(.off))
    let token = try AccessToken(.gateway)
    if isKnown { try await storage.add(try token.record(name: "kitchen", at: Samples.now)) }
    let head = HTTPHead(
      method: "GET", target: "/v1/uplink/pairs",
      headers: [HTTPHeader("Authorization".utf8, "Bearer \(token.text)".utf8)])
    return await api.answer(
      HTTPRequest(id: "1", head: head, client: ClientAddress([192, 0, 2, 1]), body: []))
  }

  @Test func gatewaysAreTold() async throws {
    let pairs = [["https://one.example", "https://two.example"]]
    let response = try await answer(pairs)
    #expect(response.status == 200)
    #expect(
      try JSONReader.read(response.body)
        == ["pairs": [["https://one.example", "https://two.example"]]])
    #expect(try await answer(pairs, isKnown: false).status == 401)
    #expect(try await answer([]).status == 404)
  }
}
