import LunaCore
package import LunaJSON
package import LunaWatch

/// What speaks for a tracker's following somebody, as members of JSON: the same in `luna watch` and in a home.
package enum WatchDocument {
  package static func evidence(_ finding: WatchFinding) -> JSONObject {
    var object: JSONObject = ["confidence": .real(share(finding.confidence))]
    object.append("trips", .integer(Int64(finding.trips)))
    object.append("places", .integer(Int64(finding.places)))
    object.append("minutes", .integer(Int64(finding.minutes)))
    object.append("metres", .integer(Int64(finding.metres)))
    object.append("reasons", .array(finding.reasons.map { .string($0.rawValue) }))
    if let rssi = finding.rssi { object.append("rssi", .integer(Int64(rssi))) }
    object.append("rides", .array(finding.rides.map(json)))
    object.append("links", .array(finding.links.map(json)))
    return object
  }

  private static func json(_ ride: WatchRide) -> JSONValue {
    var object: JSONObject = [
      "begin": .string(ride.begin.rfc3339), "end": .string(ride.end.rfc3339),
    ]
    object.append("fromLatitude", .real(degrees(ride.from.latitude)))
    object.append("fromLongitude", .real(degrees(ride.from.longitude)))
    object.append("toLatitude", .real(degrees(ride.to.latitude)))
    object.append("toLongitude", .real(degrees(ride.to.longitude)))
    object.append("metres", .integer(Int64(ride.metres)))
    object.append("heard", .integer(Int64(ride.heard)))
    object.append("listened", .integer(Int64(ride.listened)))
    object.append("after", .integer(Int64(ride.after)))
    object.append("made", .bool(ride.made))
    return .object(object)
  }

  private static func json(_ link: WatchLink) -> JSONValue {
    [
      "from": .string(link.from.description), "to": .string(link.to.description),
      "confidence": .real(share(link.confidence)),
    ]
  }

  private static func share(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  private static func degrees(_ value: Double) -> Double { (value * 1e7).rounded() / 1e7 }
}
