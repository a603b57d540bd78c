import HTTPServer
import LunaJSON
import WebAccess

/// What gateways, owners and accounts ask for to make uplink checks. `GET /v1/uplink/session` an addition answers where
/// the server makes them; here is what is said where it does not.
enum UplinkEndpoint {
  static let declarations = [session, pairs]

  private static let pairs = Endpoint(
    "GET", "/v1/uplink/pairs", "listUplinkPairs",
    "Pairs of servers of uplink checks whose paths part behind the network of a provider, the best one first: for luna "
      + "uplink locate.",
    access: .holder, replies: [.init(200, "The pairs.", json: "UplinkPairs")],
    problems: [(404, "This server knows none.")]
  ) { api, _ in
    let pairs = api.configuration.uplinkPairs
    guard !pairs.isEmpty else {
      throw ProblemDocument.notFound("this server knows no pairs of servers of uplink checks")
    }
    let list = pairs.map { pair in JSONValue.array(pair.map { .string($0) }) }
    return HTTPResponse(200, json: ["pairs": .array(list)])
  }

  private static let session = Endpoint(
    "GET", "/v1/uplink/session", "checkUplink",
    "Make an uplink check, where the server makes them: a WebSocket of JSON texts. "
      + "`hello` {version, profile, direction, pairs, slotBytes, slotSeconds} is answered `granted` {session, "
      + "address, maxBytes, port, now}, `queued` {place, seconds} or `refused` {code, retryAfter}; `slot` {n, kind, "
      + "direction, bytes} `ready` {n, token}; `sent` {n} `received` {n, bytes, seconds, samples, "
      + "minRtt, retransmitted}; `bye` `closed`. The data of a slot is a POST or a GET of "
      + "/v1/uplink/slot/TOKEN on a connection of its own; nobody else is answered there. In a session of the profile "
      + "luna-command the same GET comes again and again on that connection, and each is answered 2 KiB.",
    access: .holder, replies: [.init(101, "The check can begin.")],
    problems: [
      (404, "This server makes no uplink checks."), (426, "It is a WebSocket, version 13."),
      (503, "Too many are there already."),
    ]
  ) { _, _ in throw ProblemDocument.notFound("this server makes no uplink checks") }
}
