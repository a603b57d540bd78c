import HTTPServer
import LunaJSON
import WebAccess

/// `GET /v1/uplink/session`, which an addition answers where the server makes uplink checks; and what is said where it
/// does not.
enum UplinkEndpoint {
  static let declaration = Endpoint(
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
