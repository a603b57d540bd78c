public import Bluetooth
import LunaCore
public import LunaJSON

/// Who did what to a record, and when.
public struct RecordChange: Hashable, Sendable {
  /// Its number, in the order in which changes came to be.
  public let number: Int64
  /// When it came to be, by the clock of the backend.
  public let time: Timestamp
  /// Who: the name of an account, a token or a gateway.
  public let actor: String
  /// What the record is of; empty for a bulk.
  public let kind: String
  /// The `id` of a gateway, `GATEWAY/REF` of a device; empty for a bulk.
  public let object: String
  /// What was done; ``fields`` says to what.
  public let action: ChangeAction
  /// The revision that the record has since.
  public let revision: Int64
  /// What became of each field that changed.
  public let fields: [FieldChange]
  /// The change that this one took back.
  public let undoes: Int64?
  /// The bulk that it belongs to.
  public let bulk: Int64?

  /// A change as it is kept; only ``undoes`` and ``bulk`` lead to others.
  public init(
    number: Int64, time: Timestamp, actor: String, kind: String, object: String,
    action: ChangeAction, revision: Int64 = 0, fields: [FieldChange] = [], undoes: Int64? = nil,
    bulk: Int64? = nil
  ) {
    self.number = number
    self.time = time
    self.actor = actor
    self.kind = kind
    self.object = object
    self.action = action
    self.revision = revision
    self.fields = fields
    self.undoes = undoes
    self.bulk = bulk
  }

  /// The change as JSON.
  public var json: JSONValue {
    var json: JSONObject = [
      "change": .integer(number), "time": .string(time.rfc3339), "actor": .string(actor),
      "kind": .string(kind), "object": .string(object), "action": .string(action.rawValue),
      "revision": .integer(revision),
    ]
    if !fields.isEmpty { json.append("fields", RecordChange.json(fields)) }
    if let undoes { json.append("undoes", .integer(undoes)) }
    if let bulk { json.append("bulk", .integer(bulk)) }
    return .object(json)
  }

  /// Fields as an object of `{before, after}`, as they are kept and told.
  public static func json(_ fields: [FieldChange]) -> JSONValue {
    var object = JSONObject()
    for change in fields {
      object.append(change.field, ["before": change.before, "after": change.after])
    }
    return .object(object)
  }

  /// Reads what ``json(_:)`` wrote.
  public static func fields(json: JSONValue) -> [FieldChange] {
    guard case .object(let object) = json else { return [] }
    return object.members.compactMap { member in
      guard case .object(let values) = member.value else { return nil }
      return FieldChange(
        field: member.name, before: values["before"] ?? .null, after: values["after"] ?? .null)
    }
  }
}
