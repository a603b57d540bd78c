import LunaCore
import LunaCrypto
import LunaJSON
import LunaProtocol

/// Seals sightings: each once, with randomness of its own.
struct EventSealer: ~Copyable {
  private var sealer: ReportSealer
  /// What the gateway knows of itself, when debug fields are sent.
  private let facts: (@Sendable () -> GatewayFacts)?

  /// - Parameter facts: what the gateway knows of itself; nil to send no debug fields.
  init(debugging facts: (@Sendable () -> GatewayFacts)?) throws(CryptoError) {
    let sealer = try ReportSealer()
    self.sealer = sealer
    self.facts = facts
  }

  mutating func seal(_ sighting: FinderSighting) throws(CryptoError) -> TrackerEvent {
    let frame = sighting.heard.frame
    let random: InlineArray<16, UInt8> = try SecureRandom.bytes()
    let report = sealer.seal(
      sighting.record, eid: frame.eid, aotp: frame.aotp, esf: frame.esf, random: random)
    return TrackerEvent(
      report, day: Day(sighting.collectedAt),
      debug: facts.map { EventSealer.debugFields(sighting, $0()) })
  }

  /// What the report hides, in the clear (PROTOCOL.md, 9.3).
  private static func debugFields(
    _ sighting: FinderSighting, _ facts: GatewayFacts
  ) -> JSONObject {
    let (frame, location) = (sighting.heard.frame, sighting.location)
    var object: JSONObject = [
      "eid": .string(frame.eid.description), "aotp": .string(frame.aotp.revealed),
      "manufacturerId": .integer(Int64(frame.companyIdentifier)),
      "keyRollingCounter": .integer(Int64(frame.keyRollingCounter)),
      "latitude": .real(location.latitude), "longitude": .real(location.longitude),
      "locationTimestamp": .string(sighting.collectedAt.rfc3339),
      // Without a position there is no event: whoever sends one shares it.
      "locationSharingStatus": "authorized",
    ]
    if let name = facts.name { object.append("deviceName", .string(name)) }
    if let battery = facts.battery {
      object.append("batteryLevel", .real(battery.level))
      object.append("batteryState", .string(battery.state))
    }
    for (name, value) in [
      ("altitude", location.altitude), ("horizontalAccuracy", location.horizontalAccuracy),
      ("verticalAccuracy", location.verticalAccuracy), ("course", location.course),
      ("speed", location.speed),
    ] {
      if let value { object.append(name, .real(value)) }
    }
    return object
  }
}
