public import LunaJSON

/// Brings an edit together with what others changed since the editor looked.
public enum RecordMerge: Hashable, Sendable {
  /// What is changed, perhaps nothing; and whether there were changes of others since.
  case applied([FieldChange], isMerged: Bool)
  /// Fields that others changed as well.
  case conflicts([FieldConflict])
  /// The edit is of a revision that does not exist yet.
  case futureRevision

  /// Merges an edit.
  ///
  /// - Parameters:
  ///   - fields: the record's fields now.
  ///   - revision: its revision now.
  ///   - changes: those after the edit's revision, oldest first. Where some are gone, it counts as
  ///     unknown what the editor saw.
  public init(
    _ edit: RecordEdit, fields: JSONObject, revision: Int64, changes: [RecordChange]
  ) {
    let base = edit.revision ?? revision
    guard base <= revision else {
      self = .futureRevision
      return
    }
    // Later ones are of a record that was there before under the same name, and is gone: it began anew since.
    let since = changes.filter { $0.revision > base && $0.revision <= revision }
    let isKnown = Int64(since.count) >= revision - base
    var (applied, conflicts): ([FieldChange], [FieldConflict]) = ([], [])
    for member in edit.fields.members {
      let theirs = fields[member.name] ?? .null
      // Both want the same, or it is so already.
      if theirs == member.value { continue }
      let touched = since.first { change in change.fields.contains { $0.field == member.name } }
      if isKnown, touched == nil {
        applied.append(FieldChange(field: member.name, before: theirs, after: member.value))
        continue
      }
      let seen = isKnown ? touched?.fields.first { $0.field == member.name }?.before : nil
      conflicts.append(
        FieldConflict(
          field: member.name, base: seen ?? .null, theirs: theirs, yours: member.value))
    }
    self =
      conflicts.isEmpty ? .applied(applied, isMerged: base < revision) : .conflicts(conflicts)
  }

  /// Fields after a change; values of null go.
  public static func apply(_ changes: [FieldChange], to fields: JSONObject) -> JSONObject {
    var values = Dictionary(fields.members.map { ($0.name, $0.value) }) { $1 }
    for change in changes { values[change.field] = change.after == .null ? nil : change.after }
    var result = JSONObject()
    // In the order of the fields, wherever the change came from.
    let order = RecordKind.gateway.editable + RecordKind.device.editable
    for name in order where values[name] != nil {
      if let value = values.removeValue(forKey: name) { result.append(name, value) }
    }
    return result
  }
}
