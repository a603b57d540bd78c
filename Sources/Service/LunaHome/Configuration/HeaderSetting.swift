/// A header of a request, as the file has it.
package struct HeaderSetting: Hashable, Sendable {
  /// What it says.
  package enum Value: Hashable, Sendable {
    case text(String)
    case secret(SecretReference)
  }

  package let name: String
  package let value: Value

  /// Reads headers, in their order.
  package static func list(_ json: [UInt8]) -> [HeaderSetting] {
    var reader = SourceReader(SourceText(json))
    return list(reader.read())
  }

  static func list(_ node: SourceNode?) -> [HeaderSetting] {
    (node?.members ?? []).compactMap { member in
      if let text = member.value.text {
        return HeaderSetting(name: member.name, value: .text(text))
      }
      return SecretReference(member.value).map {
        HeaderSetting(name: member.name, value: .secret($0))
      }
    }
  }
}
