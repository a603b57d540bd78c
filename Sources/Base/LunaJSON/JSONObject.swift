/// The members of a JSON object, in their order.
public struct JSONObject: Sendable {
  /// A name and a value.
  public struct Member: Sendable {
    /// The text before the colon, with its escapes read.
    public var name: String
    /// What stands behind the colon.
    public var value: JSONValue
  }

  /// All of them in the order of the text; a name may be there more than once.
  public var members: [Member]

  /// An object without members.
  public init() { members = [] }

  /// The value of a name, the last one when there are several; setting adds a member.
  public subscript(name: String) -> JSONValue? {
    members.last { $0.name == name }?.value
  }

  /// Adds a member behind the others, also where there is one of this name.
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
