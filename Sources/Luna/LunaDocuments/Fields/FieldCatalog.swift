import Beacons
import Bluetooth
import SafeText

/// The fields of a document: what filters and columns may name.
public struct FieldCatalog: Sendable {
  /// Why a name means no field.
  public struct UnknownField: Error, Hashable, Sendable {
    /// What is wrong, to follow the name in a sentence.
    public let reason: String
    /// What to write instead; nil where nothing is near enough to be meant, so that a list of the
    /// fields is what helps.
    public let remedy: String?
  }

  /// The fields at the top level, in the order of the document.
  public let top: [(name: String, kind: FieldKind)]
  /// The fields of entries of `beacons`.
  public let items: [(name: String, kind: FieldKind)]

  package init(
    top: [(name: String, kind: FieldKind)], items: [(name: String, kind: FieldKind)]
  ) {
    self.top = top
    self.items = items
  }

  /// The field that `name` means.
  public func field(_ name: String) throws(UnknownField) -> FieldReference {
    if let field = top.first(where: { $0.name == name }) {
      return FieldReference(name: name, place: .top, kind: field.kind)
    }
    if let field = items.first(where: { $0.name == name }) {
      return FieldReference(name: name, place: .item, kind: field.kind)
    }
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      let (first, rest) = (String(parts[0]), String(parts[1]))
      if first == "beacons", let field = items.first(where: { $0.name == rest }) {
        return FieldReference(name: rest, place: .item, kind: field.kind)
      }
      if top.contains(where: { $0.name == first && $0.kind == .map }) {
        return FieldReference(name: first, place: .entry(try key(rest, of: first)), kind: .hex)
      }
    }
    let names = (top + items).map(\.name)
    if let meant = Suggestion.nearest(to: name, among: names) {
      throw UnknownField(reason: "is not a field", remedy: "did you mean \(meant)?")
    }
    throw UnknownField(reason: "is not a field", remedy: nil)
  }

  /// The key of a map as the document spells it.
  private func key(_ text: String, of map: String) throws(UnknownField) -> String {
    if map == "manufacturerData" {
      if text.utf8.count == 4, Hex.bytes(text) != nil { return text.lowercased() }
      throw UnknownField(
        reason: "names no company", remedy: "use four hexadecimal digits, as in \(map).004c")
    }
    guard let uuid = BluetoothUUID(text) else {
      throw UnknownField(reason: "names no service", remedy: "use a UUID, as in \(map).FEAA")
    }
    return uuid.description
  }
}

extension FieldCatalog {
  /// The fields of an advertisement.
  public static let advertisement = FieldCatalog(
    top: AdvertisementDocument.fields, items: AdvertisementDocument.itemFields)
}
