/// The members of a JSON object, in their order.
public struct JSONObject: Sendable {
  /// A name and a value.
  public struct Member: Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue
  }

  /// The members.
  public var members: [Member]

  /// An object without members.
  public init() { members = [] }

  /// The value of a name, the last one when there are several; setting adds a member.
  public subscript(name: String) -> JSONValue? {
    members.last { $0.name == name }?.value
  }

  /// Adds a member.
  public mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name: name, value: value))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object of the members that are written down.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member(name: $0, value: $1) }
  }
}

extension JSONObject: Hashable {
  /// Equal when the names have equal values, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.byName == right.byName
  }

  /// Feeds the members.
  public func hash(into hasher: inout Hasher) { byName.hash(into: &hasher) }

  private var byName: [String: JSONValue] {
    Dictionary(members.map { ($0.name, $0.value) }) { $1 }
  }
}
