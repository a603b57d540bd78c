/// A field as a filter or a column names it.
struct FieldReference: Sendable, Hashable {
  /// Where the field stands.
  enum Place: Sendable, Hashable {
    /// At the top level of the document.
    case top
    /// In any entry of `beacons`.
    case item
    /// Under a key of a map at the top level, such as FEAA in `serviceData.FEAA`.
    case entry(String)
  }

  /// The name of the field, for an entry that of its map.
  let name: String
  let place: Place
  let kind: FieldKind

  /// The name in full, as column heads show it.
  var text: String {
    switch place {
    case .top, .item: name
    case .entry(let key): "\(name).\(key)"
    }
  }
}
