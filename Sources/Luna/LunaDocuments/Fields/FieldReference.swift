/// A field as a filter or a column names it.
public struct FieldReference: Sendable, Hashable {
  /// Where the field stands.
  public enum Place: Sendable, Hashable {
    /// At the top level of the document.
    case top
    /// In any entry of `beacons`.
    case item
    /// Under a key of a map at the top level, such as FEAA in `serviceData.FEAA`.
    case entry(String)
  }

  /// The name of the field, for an entry that of its map.
  public let name: String
  /// Where it stands.
  public let place: Place
  /// What its values are.
  public let kind: FieldKind

  package init(name: String, place: Place, kind: FieldKind) {
    self.name = name
    self.place = place
    self.kind = kind
  }

  /// The name in full, as column heads show it.
  public var text: String {
    switch place {
    case .top, .item: name
    case .entry(let key): "\(name).\(key)"
    }
  }
}
