import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON

extension FleetWork {
  /// Takes the offer of a gateway whose label was scanned: the digest becomes its token.
  mutating func admit(
    _ offer: EnrolmentOffer, print: GatewayPrint
  ) throws(FleetFailure) -> (gateway: Gateway, isNew: Bool) {
    let gateway = try gateways(where: "print = $1", [.bytes(print.bytes)]).first
    let id = AccessToken.id(offer.tokenDigest)
    let token = try rows("SELECT digest, revoked FROM luna.tokens WHERE id = $1", [.text(id)]).first
    let isRevoked = token.map { !$0.isNull(1) } ?? false
    let answer: Enrolment.Answer
    do throws(FleetError) {
      answer = try Enrolment.judge(
        offer, gateway?.enrolment, isRemoved: gateway?.removedAt != nil, isRevoked: isRevoked,
        at: time)
    } catch { throw .refused(.error(error)) }
    guard var gateway, var enrolment = gateway.enrolment else {
      throw .refused(.missing("no gateway has this print"))
    }
    if answer == .repeated { return (gateway, false) }
    guard token == nil else {
      throw .refused(
        .error(FleetError(.alreadyEnrolled, "the token belongs to another gateway already")))
    }
    // Whatever it had before was for another scan.
    try endTokens(of: gateway.key)
    try run(
      "INSERT INTO luna.tokens(id, role, name, digest, created) VALUES($1, 'gateway', $2, $3, $4)",
      [
        .text(id), .text(gateway.key), .bytes(offer.tokenDigest), .integer(time.microseconds),
      ])
    enrolment.tokenDigest = offer.tokenDigest
    gateway.enrolment = enrolment
    _ = try step(&gateway, .admit)
    return (gateway, true)
  }

  /// Has a record wait for a gateway anew: for the one with a label, or for one with a code. What it had
  /// before is not good any more.
  mutating func enrol(
    _ id: String, _ payload: GatewayPayload?, code: EnrolmentRecord?
  ) throws(FleetFailure) -> Gateway {
    var gateway = try present(id)
    if let payload {
      let others = try gateways(
        where: "print = $1 AND id <> $2", [.bytes(payload.print.bytes), .text(id)])
      if let other = others.first {
        throw .refused(
          .taken(
            FleetError(.alreadyEnrolled, "the label is that of another gateway"), gateway: other,
            change: nil))
      }
      gateway.enrolment = Enrolment(print: payload.print, scannedAt: time)
      gateway.hardware = GatewayHardware(payload)
    } else {
      gateway.enrolment = nil
    }
    try endTokens(of: gateway.key)
    if let code { try insert(code, of: gateway) }
    _ = try step(&gateway, .enrol)
    return gateway
  }

  /// Keeps a code with which the gateway of a record gets its token once.
  func insert(_ code: EnrolmentRecord, of gateway: Gateway) throws(FleetFailure) {
    try run(
      "INSERT INTO luna.enrolments(digest, name, expires) VALUES($1, $2, $3)",
      [.bytes(code.digest), .text(gateway.key), .integer(code.expiresAt.microseconds)])
  }
}

extension GatewayPayload {
  /// The editable fields that a label says.
  var fields: JSONObject {
    var fields: JSONObject = ["name": .string(name ?? print.key)]
    if let position {
      let (latitude, longitude) = position.degrees
      fields.append("place", Place(latitude: latitude, longitude: longitude).json)
    }
    if let manufacturer { fields.append("manufacturer", .string(manufacturer)) }
    if let site { fields.append("site", .string(site)) }
    return fields
  }
}
