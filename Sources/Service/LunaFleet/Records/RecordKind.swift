import LunaJSON

/// What a record is of, and with that which fields people may edit.
public enum RecordKind: String, Sendable, CaseIterable {
  /// A gateway.
  case gateway
  /// Something that a gateway hears.
  case device

  /// The fields that can be edited, in the order in which they are shown.
  public var editable: [String] {
    switch self {
    case .gateway: ["name", "place", "picture", "manufacturer", "site", "tags", "note"]
    case .device: ["name", "priority", "place", "picture", "manufacturer", "approved"]
    }
  }

  /// Fields that are shown with a record and belong to the program.
  public var fixed: [String] {
    switch self {
    case .gateway:
      [
        "id", "key", "mac", "ip", "model", "revision", "createdAt", "enrolledBy", "version",
        "health", "state", "verdict", "reasons", "seenAt", "pictureUrl", "label", "waiting",
        "removedAt", "uptime", "queueDepth", "merged",
      ]
    case .device:
      [
        "ref", "gateway", "family", "first", "last", "hours", "band", "revision", "staying",
        "pictureUrl",
      ]
    }
  }

  /// A value as it is kept.
  ///
  /// - Returns: null where the field is cleared.
  func canonical(_ field: String, _ value: JSONValue) throws(FieldProblem) -> JSONValue {
    if value == .null {
      if self == .gateway, field == "name" { throw FieldProblem("cannot be cleared") }
      return .null
    }
    switch field {
    case "name", "manufacturer", "site":
      return .string(try FieldText.line(try text(value), limit: 80))
    case "note":
      let note = try FieldText.note(try text(value), limit: 2000)
      return note.isEmpty ? .null : .string(note)
    case "picture": return .string(try RecordKind.picture(try text(value)))
    case "tags": return try RecordKind.tags(value)
    case "place" where self == .gateway: return try Place(json: value).json
    case "place": return .string(try FieldText.line(try text(value), limit: 200))
    case "priority":
      guard let priority = DevicePriority(rawValue: try text(value)) else {
        throw FieldProblem("is not low, normal, high or critical")
      }
      return .string(priority.rawValue)
    case "approved":
      guard case .bool(let isApproved) = value else {
        throw FieldProblem("is neither true nor false")
      }
      return isApproved ? .bool(true) : .null
    default: throw FieldProblem("is no field")
    }
  }

  private func text(_ value: JSONValue) throws(FieldProblem) -> String {
    guard case .string(let text) = value else { throw FieldProblem("is not a string") }
    return text
  }

  private static func picture(_ text: String) throws(FieldProblem) -> String {
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      })
    else { throw FieldProblem("is not the hash of a picture") }
    return text
  }

  /// Tags sorted, each once: they are a set.
  private static func tags(_ value: JSONValue) throws(FieldProblem) -> JSONValue {
    guard case .array(let elements) = value else { throw FieldProblem("is not an array") }
    var tags: Set<String> = []
    for element in elements {
      guard case .string(let tag) = element, GatewayTag.isTag(tag) else {
        throw FieldProblem("has a tag that is not 1 to 32 of a-z, 0-9, - and _")
      }
      tags.insert(tag)
    }
    guard tags.count <= GatewayTag.limit else {
      throw FieldProblem("has more than \(GatewayTag.limit) tags")
    }
    return tags.isEmpty ? .null : .array(tags.sorted().map { .string($0) })
  }
}
