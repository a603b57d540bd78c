/// The forms in which events can be given to other programs.
public enum EventExport: String, CaseIterable, Sendable {
  /// GPS Exchange Format 1.1: a track for maps and navigators.
  case gpx
  /// GeoJSON (RFC 7946): points and a line, in pieces where it crosses the date line.
  case geojson
  /// Keyhole Markup Language 2.2: for Google Earth and others.
  case kml
  /// Comma-separated values, for spreadsheets.
  case csv
  /// A picture of a map without a background.
  case svg

  /// The events of a tracker.
  ///
  /// - Parameter name: what the owner calls it.
  public func text(_ events: [Event], name: String) -> String {
    switch self {
    case .gpx: GPXDocument.text(events, name: name)
    case .geojson: GeoJSONDocument.text(events, name: name)
    case .kml: KMLDocument.text(events, name: name)
    case .csv: CSVDocument.text(events)
    case .svg: SVGMap(events, name: name).text
    }
  }
}
