import LunaJSON

/// A gateway made ready to be searched, once for each of its revisions.
public struct SearchedGateway: Sendable {
  /// All fields but the note, folded, parted by line ends.
  let description: [UInt8]
  /// The fields that have a value.
  let present: Set<String>
  /// Degrees.
  let position: (latitude: Double, longitude: Double)?
  private let texts: [SearchField: [[UInt8]]]

  /// Folds the texts of a gateway.
  public init(_ gateway: Gateway) {
    var texts: [SearchField: [[UInt8]]] = [:]
    func put(_ field: SearchField, _ values: [String?]) {
      let values = values.compactMap { $0.map(FoldedText.bytes) }
      if !values.isEmpty { texts[field] = values }
    }
    put(.name, [gateway.name])
    put(.key, [gateway.key])
    put(.site, [gateway.text("site")])
    put(.tag, gateway.tags)
    put(.manufacturer, [gateway.text("manufacturer")])
    put(.model, [gateway.hardware.model])
    put(.ip, [gateway.hardware.ip.map(NetworkAddressText.ip)])
    put(.mac, [gateway.hardware.mac.map(NetworkAddressText.mac)])
    self.texts = texts
    let place = gateway.place
    position = place?.position
    let more = [gateway.id, place?.text, gateway.enrolledBy].compactMap { $0.map(FoldedText.bytes) }
    description = Array(
      (SearchField.allCases.flatMap { texts[$0] ?? [] } + more).joined(separator: [0x0A]))
    present = Set(gateway.fields.members.map(\.name))
      .union(texts.keys.map(\.rawValue))
      .union(position == nil ? [] : ["position"])
      .union(gateway.tags.isEmpty ? [] : ["tag"])
  }

  /// Whether somebody said where it is.
  public var isPlaced: Bool { position != nil }

  func values(_ field: SearchField) -> [[UInt8]] {
    texts[field == .hub ? .name : field] ?? []
  }
}
