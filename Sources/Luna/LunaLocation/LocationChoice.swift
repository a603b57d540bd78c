/// Which location source a user asks for: `static:LAT,LON[,ALT]`, `gpsd[:HOST:PORT]` or `geoclue`.
public enum LocationChoice: Hashable, Sendable {
  /// A place that does not move; degrees, and m above the WGS84 ellipsoid.
  case place(latitude: Double, longitude: Double, altitude: Double?)
  /// gpsd at a host and port.
  case gpsd(host: String, port: UInt16)
  /// GeoClue on the system bus.
  case geoclue

  /// gpsd's registered port (IANA: gpsd-ng).
  public static let gpsdPort: UInt16 = 2947

  /// Reads the text.
  ///
  /// - Throws: what is wrong with it.
  public init(_ text: String) throws(LocationChoiceError) {
    if text == "geoclue" {
      self = .geoclue
    } else if text == "gpsd" {
      self = .gpsd(host: "localhost", port: LocationChoice.gpsdPort)
    } else if text.hasPrefix("gpsd:") {
      self = try LocationChoice.gpsd(text.dropFirst("gpsd:".count))
    } else if text.hasPrefix("static:") {
      self = try LocationChoice.place(text.dropFirst("static:".count))
    } else {
      throw LocationChoiceError("is not a location source")
    }
  }

  /// `HOST`, `HOST:PORT` or `[IPv6]:PORT`.
  private static func gpsd(_ text: Substring) throws(LocationChoiceError) -> LocationChoice {
    var host = text
    var port = gpsdPort
    let isPlainIPv6 = !text.hasPrefix("[") && text.count(where: { $0 == ":" }) > 1
    if !isPlainIPv6, let colon = text.lastIndex(of: ":"),
      !text[colon...].contains("]")
    {
      guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else {
        throw LocationChoiceError("has a port that is none")
      }
      port = number
      host = text[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw LocationChoiceError("has no host")
    }
    return .gpsd(host: String(host), port: port)
  }

  private static func place(_ text: Substring) throws(LocationChoiceError) -> LocationChoice {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count, (2...3).contains(parts.count) else {
      throw LocationChoiceError(
        "is not LATITUDE,LONGITUDE in degrees, as 52.5186,13.3763, or with an altitude in metres")
    }
    guard -90...90 ~= numbers[0] else {
      throw LocationChoiceError("has a latitude that is not within -90 to 90 degrees")
    }
    guard -180...180 ~= numbers[1] else {
      throw LocationChoiceError("has a longitude that is not within -180 to 180 degrees")
    }
    let altitude = numbers.count == 3 ? numbers[2] : nil
    // Beyond these there is no ground, and soon no room in a report.
    if let altitude, !(-12_000...100_000 ~= altitude) {
      throw LocationChoiceError("has an altitude that is not within -12000 to 100000 metres")
    }
    return .place(latitude: numbers[0], longitude: numbers[1], altitude: altitude)
  }
}
