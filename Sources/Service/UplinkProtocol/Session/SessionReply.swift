package import LunaJSON

/// What a server of ours says over the side channel (UPLINK.md, 7.2).
package enum SessionReply: Hashable, Sendable {
  /// Why it refuses.
  package enum Refusal: String, CaseIterable, Sendable {
    /// Too many are there already.
    case busy
    /// More data than may be used.
    case budget
    /// Too many slots, or too long.
    case rate
    /// It speaks another version.
    case version
    /// It does not know who asks.
    case token

    /// In words.
    package var reason: String {
      switch self {
      case .busy: "others use it, and as many wait as may"
      case .budget: "the check takes more data than it gives a token, or has left for it today"
      case .rate: "the check took too long"
      case .version: "it speaks another version of the protocol"
      case .token: "it does not know the token"
      }
    }
  }

  /// Slots can be made.
  ///
  /// - Parameters:
  ///   - address: where the client comes from, cut.
  ///   - maxBytes: how many bytes all slots together may have.
  case granted(session: String, address: String, maxBytes: Int)
  /// Others are first.
  case queued(place: Int, seconds: Int)
  /// No.
  ///
  /// - Parameter retryAfter: when to ask again, s.
  case refused(Refusal, retryAfter: Int)
  /// A slot can be made, once, with a token.
  case ready(Int, token: String)
  /// What came of a slot.
  case received(Int, SlotReceipt)
  /// Nothing more is said.
  case closed

  /// Reads a text.
  package init(_ text: String) throws(FormatError) {
    let fields = try SessionText.members(text)
    let (many, long): (ClosedRange<Int64>, ClosedRange<Int64>) = (1...1_000, 0...86_400)
    switch try fields.word("type", limit: 16) {
    case "granted":
      self = .granted(
        session: try fields.word("session", limit: 64), address: try fields.string("address"),
        maxBytes: Int(try fields.integer("maxBytes", in: 0...SessionRequest.mostBytes)))
    case "queued":
      self = .queued(
        place: Int(try fields.integer("place", in: many)),
        seconds: Int(try fields.integer("seconds", in: long)))
    case "refused":
      guard let code = Refusal(rawValue: try fields.word("code", limit: 16)) else {
        throw FormatError("code", "is not one that is known")
      }
      self = .refused(code, retryAfter: Int(try fields.integer("retryAfter", in: long)))
    case "ready":
      self = .ready(
        Int(try fields.integer("n", in: many)), token: try fields.word("token", limit: 64))
    case "received":
      self = .received(Int(try fields.integer("n", in: many)), try SlotReceipt(fields))
    case "closed": self = .closed
    default: throw FormatError("type", "is not one that is known")
    }
  }

  /// The text.
  package var text: String { text(askedAt: nil, now: nil) }

  /// The text of a server that says more when slots can be made.
  ///
  /// - Parameters:
  ///   - port: at which it was asked, as the client calls it: behind a proxy no other one need be right; nil where that
  ///     is not known.
  ///   - now: what its clock says, as in RFC 3339.
  package func text(askedAt port: UInt16?, now: String?) -> String {
    var object: JSONObject
    switch self {
    case .granted(let session, let address, let bytes):
      object = [
        "type": "granted", "session": .string(session), "address": .string(address),
        "maxBytes": .integer(Int64(bytes)),
      ]
      if let port { object.append("port", .integer(Int64(port))) }
      if let now { object.append("now", .string(now)) }
    case .queued(let place, let seconds):
      object = [
        "type": "queued", "place": .integer(Int64(place)), "seconds": .integer(Int64(seconds)),
      ]
    case .refused(let code, let seconds):
      object = [
        "type": "refused", "code": .string(code.rawValue), "retryAfter": .integer(Int64(seconds)),
      ]
    case .ready(let number, let token):
      object = ["type": "ready", "n": .integer(Int64(number)), "token": .string(token)]
    case .received(let number, let receipt):
      object = ["type": "received", "n": .integer(Int64(number))]
      object.members += receipt.members.members
    case .closed: object = ["type": "closed"]
    }
    return JSONValue.object(object).description
  }
}
