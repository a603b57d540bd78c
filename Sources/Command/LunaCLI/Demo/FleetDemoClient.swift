import LunaClient
import LunaCore
import LunaCrypto
import LunaFleet
import LunaJSON
import LunaWire

/// How the simulated fleet speaks to its backend.
struct FleetDemoClient: Sendable {
  private let url: String
  private let client: HTTPClient

  init(_ url: String) throws {
    self.url = url
    var configuration = ClientConfiguration(url: url)
    // The environment's proxy does not know this machine's ports.
    configuration.proxy = "-"
    client = try HTTPClient(configuration)
  }

  /// Makes records of gateways.
  func add(_ records: [JSONValue], _ token: SecretBytes) async throws {
    _ = try await ask("POST", "/v1/gateways/import", ["lines": .array(records)], token)
  }

  /// The keys of the gateways by their names.
  func keys(_ token: SecretBytes) async throws -> [String: String] {
    let answer = try await ask("GET", "/v1/gateways", nil, token)
    guard case .object(let object) = answer, case .array(let list)? = object["gateways"] else {
      return [:]
    }
    var keys: [String: String] = [:]
    for case .object(let gateway) in list {
      if case .string(let name)? = gateway["name"], case .string(let key)? = gateway["key"] {
        keys[name] = key
      }
    }
    return keys
  }

  /// Reports how a gateway is, and how it was.
  func report(
    _ health: HealthReport?, samples: [HealthSample] = [], _ token: SecretBytes
  ) async throws {
    var body: JSONObject = ["product": "luna", "items": []]
    if let health { body.append("health", health.json) }
    if !samples.isEmpty { body.append("samples", .array(samples.map(\.json))) }
    _ = try await ask("POST", "/v1/telemetry", .object(body), token)
  }

  /// Offers a gateway.
  ///
  /// - Returns: whether an operator has scanned its label.
  func offers(_ offer: EnrolmentOffer) async throws -> Bool {
    let answer = try await send("POST", "/v1/gateways", offer.json, nil)
    return answer.status == 200 || answer.status == 201
  }

  private func ask(
    _ method: String, _ path: String, _ body: JSONValue?, _ token: SecretBytes
  ) async throws -> JSONValue {
    let answer = try await send(method, path, body, token)
    // A record that somebody has removed in the console is none of its gateway's business, nor is a limit.
    guard (200..<300).contains(answer.status) || [403, 429, 503].contains(answer.status) else {
      throw CommandFailure(
        .backend, "the backend of the demonstration answers \(path) with status \(answer.status)")
    }
    return (try? JSONReader.read(answer.body)) ?? .null
  }

  private func send(
    _ method: String, _ path: String, _ body: JSONValue?, _ token: SecretBytes?
  ) async throws -> HTTPAnswer {
    var secrets: [SecretBytes] = []
    if let token {
      let text = token.withBytes { bytes in
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
      }
      secrets = [SecretBytes(copying: Array("Authorization: Bearer \(text)\0".utf8).span)]
    }
    return try await client.send(
      method, url + path,
      headers: body == nil ? [] : [HTTPField("Content-Type", "application/json")],
      secrets: secrets, body: body?.bytes)
  }
}
