import Bluetooth
import HTTPServer
import LunaCore
import LunaFleet
import LunaJSON
import LunaProtocol
import WebAccess

/// How a gateway was over time.
enum FleetSampleEndpoint {
  private static let limit = 1000
  private static let time: JSONValue = ["type": "string", "format": "date-time"]

  static let declaration = Endpoint(
    "GET", "/v1/gateways/{gateway}/samples", "listSamples",
    "See how a gateway was: of the last two days each sample, before that hours, then days.",
    access: .role(.viewer),
    query: [.init(name: "from", schema: time), .init(name: "to", schema: time)],
    replies: [.init(200, "At most 1,000 samples, oldest first.", json: "SampleList")]
  ) { api, call in
    let id = call.parameter
    let key = try await api.fleet.read(at: call.time) { work throws(FleetFailure) in
      try work.present(id).key
    }
    let end = try moment("to", call) ?? call.time
    let start = try moment("from", call) ?? end.advanced(by: .seconds(-86_400))
    guard start <= end else {
      throw ProblemDocument(400, "query", "The query is malformed.", detail: "from is after to")
    }
    // Whoever asks for all the time that they are kept has counted it a moment ago, by another clock.
    let age = call.time.microseconds - start.microseconds - 60_000_000
    let step = SampleStep.allCases.first { age <= $0.lifetime } ?? .day
    let samples = try await api.storage.samples(of: key, step, start...end, limit: limit)
    return HTTPResponse(200, json: ["samples": .array(samples.map { json($0.time, $0.sample) })])
  }

  private static func moment(
    _ name: String, _ call: APICall
  ) throws(ProblemDocument) -> Timestamp? {
    guard let text = try call.query(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw ProblemDocument(
        400, "query", "The query is malformed.", detail: "\(name) is no time (RFC 3339)")
    }
    return time
  }

  private static func json(_ time: Timestamp, _ sample: StoredSample) -> JSONValue {
    var health = JSONObject()
    for field in SampleField.allCases {
      guard let value = sample[field] else { continue }
      health.append(field.name, .real(value))
    }
    return ["time": .string(time.rfc3339), "health": .object(health)]
  }
}
