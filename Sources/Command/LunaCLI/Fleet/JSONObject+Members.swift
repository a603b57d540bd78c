import LunaJSON

extension JSONObject {
  /// A member that is a text.
  func string(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  /// A member that is a whole number.
  func integer(_ name: String) -> Int64? {
    if case .integer(let number)? = self[name] { number } else { nil }
  }

  /// The objects of a member that is an array.
  func objects(_ name: String) -> [JSONObject] {
    guard case .array(let values)? = self[name] else { return [] }
    return values.compactMap { if case .object(let object) = $0 { object } else { nil } }
  }
}
