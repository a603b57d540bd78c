import LunaJSON

extension JSONValue {
  /// A member of an object.
  subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// The text; nil for what is none.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
