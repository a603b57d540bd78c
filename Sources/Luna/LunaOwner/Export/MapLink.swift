package import LunaProtocol

/// A place as people copy it, and its links to a map that everybody can open. Whoever follows one tells that
/// map where the tracker was; until then nobody is asked.
package struct MapLink: Equatable, Sendable {
  /// Degrees to a metre: `52.51860, 13.37630`.
  package let coordinates: String
  /// Short, to be read and copied.
  package let short: String
  /// As near as one sees a house, to be followed.
  package let page: String

  package init(_ record: LocationRecord) {
    let latitude = MapLink.degrees(record.latitudeE7)
    let longitude = MapLink.degrees(record.longitudeE7)
    coordinates = "\(latitude), \(longitude)"
    short = "https://osm.org/?mlat=\(latitude)&mlon=\(longitude)"
    page =
      "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)"
      + "#map=17/\(latitude)/\(longitude)"
  }

  private static func degrees(_ value: Int32) -> String {
    let rounded = (Int64(value.magnitude) + 50) / 100
    let digits = String(rounded % 100_000)
    let sign = value < 0 && rounded > 0 ? "-" : ""
    return "\(sign)\(rounded / 100_000)."
      + String(repeating: "0", count: 5 - digits.utf8.count) + digits
  }
}
