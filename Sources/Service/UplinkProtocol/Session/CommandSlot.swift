/// What a slot of `luna-command` is: small requests of HTTP/1.1 on one connection, each of which waits for its answer
/// (UPLINK.md, 4).
package enum CommandSlot {
  /// How many requests there are, and how many of the first are not counted.
  package static let requests = (all: 26, uncounted: 6)
  /// How long one is as a whole, bytes.
  package static let request = 300
  /// How long the body of the answer to one is, bytes.
  package static let answer = 2 << 10
  /// What the bodies of all answers take.
  package static let bytes = requests.all * answer

  /// The request of a slot with a token: a field of letters of chance fills it up. The name of a host that leaves no
  /// room for one makes it longer.
  package static func makeRequest(_ token: String, to host: String) -> [UInt8] {
    let head =
      "GET /v1/uplink/slot/\(token) HTTP/1.1\r\nHost: \(host)\r\nPadding: "
    let end = "\r\n\r\n"
    let room = max(1, request - head.utf8.count - end.utf8.count)
    let letters = (0..<room).map { _ in
      UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"))
    }
    return Array(head.utf8) + letters + Array(end.utf8)
  }
}
