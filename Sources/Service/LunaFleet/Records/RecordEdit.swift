public import LunaJSON

/// What somebody wants to have changed in a record: new values of fields, null for those to be cleared.
public struct RecordEdit: Hashable, Sendable {
  /// What is edited.
  public let kind: RecordKind
  /// The revision that the editor saw; nil where it was not said.
  public var revision: Int64?
  /// The new values, as they are kept.
  public private(set) var fields: JSONObject

  /// An edit from the members of a request: fields flat beside `revision`.
  ///
  /// - Parameter ignoring: members that are not of the record.
  /// - Throws: all that is wrong with them.
  public init(
    _ kind: RecordKind, json: JSONObject, ignoring: Set<String> = []
  ) throws(FieldErrors) {
    self.kind = kind
    var errors: [FleetError] = []
    var fields = JSONObject()
    for member in json.members where !ignoring.contains(member.name) {
      let name = member.name
      if name == "revision" {
        if case .integer(let number) = member.value, number >= 0 {
          revision = number
        } else {
          errors.append(FleetError(.fieldValue, "revision is not a whole number", field: name))
        }
      } else if kind.editable.contains(name) {
        do throws(FieldProblem) {
          fields.append(name, try kind.canonical(name, member.value))
        } catch {
          errors.append(FleetError(.fieldValue, "\(name) \(error.text)", field: name))
        }
      } else if kind.fixed.contains(name) {
        errors.append(FleetError(.fixedField, "\(name) cannot be edited", field: name))
      } else {
        errors.append(
          FleetError(.unknownField, "a \(kind.rawValue) has no field of this name", field: name))
      }
    }
    guard errors.isEmpty else { throw FieldErrors(errors) }
    self.fields = fields
  }

  /// An edit that brings fields to what changes say, all of which were checked before.
  public init(_ kind: RecordKind, restoring changes: [FieldChange]) {
    self.kind = kind
    fields = JSONObject()
    for change in changes { fields.append(change.field, change.after) }
  }

  /// The same edit with other tags.
  public func setting(tags: Set<String>) -> RecordEdit {
    var edit = self
    edit.fields.members.removeAll { $0.name == "tags" }
    edit.fields.append(
      "tags", tags.isEmpty ? .null : .array(tags.sorted().map { .string($0) }))
    return edit
  }

  /// Why the tags that this sets cannot be; nil where they can.
  public var tagsRefusal: FleetError? {
    guard case .array(let tags)? = fields["tags"], tags.count > GatewayTag.limit else { return nil }
    return FleetError(
      .fieldValue, "tags has more than \(GatewayTag.limit) tags", field: "tags")
  }
}
