import Beacons
import Bluetooth
import CommandSpec

/// The fields of a document: what filters and columns may name.
struct FieldCatalog: Sendable {
  /// Why a name means no field.
  struct UnknownField: Error, Equatable {
    /// What is wrong, to follow the name in a sentence.
    let reason: String
    let remedy: String
  }

  /// The fields at the top level, in the order of the document.
  let top: [(name: String, kind: FieldKind)]
  /// The fields of entries of `beacons`.
  let items: [(name: String, kind: FieldKind)]

  /// The field that `name` means.
  func field(_ name: String) throws(UnknownField) -> FieldReference {
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
    throw UnknownField(
      reason: "is not a field", remedy: "see 'luna scan --help' for the names of the fields")
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
  static let advertisement = FieldCatalog(
    top: AdvertisementDocument.fields, items: AdvertisementDocument.itemFields)
}
