import LunaJSON

/// A value of a file, and where it stands.
struct SourceNode: Sendable {
  struct Member: Sendable {
    let name: String
    /// Where the name stands.
    let offset: Int
    let value: SourceNode
  }

  enum Value: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([SourceNode])
    case object([Member])
    /// What could not be read, and was told as a problem.
    case broken
  }

  let value: Value
  /// Its first byte, and the one behind its last.
  let range: Range<Int>

  var members: [Member] { if case .object(let members) = value { members } else { [] } }
  var elements: [SourceNode] { if case .array(let elements) = value { elements } else { [] } }
  var text: String? { if case .string(let text) = value { text } else { nil } }
  var bool: Bool? { if case .bool(let value) = value { value } else { nil } }

  var number: Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// A whole number, be it written with a fraction of zero.
  var integer: Int64? {
    switch value {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The value of a name; names of older files count as those of today.
  subscript(name: String, also: [String] = []) -> SourceNode? {
    members.first { $0.name == name || also.contains($0.name) }?.value
  }

  /// What it is, for a sentence.
  var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .real: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    case .broken: "unreadable"
    }
  }

  /// The value without places.
  var json: JSONValue {
    switch value {
    case .null, .broken: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .string(let value): return .string(value)
    case .array(let elements): return .array(elements.map(\.json))
    case .object(let members):
      var object = JSONObject()
      for member in members { object.append(member.name, member.value.json) }
      return .object(object)
    }
  }
}
