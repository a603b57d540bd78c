import Bluetooth
import LunaFleet
import LunaJSON

/// Something that was done with accounts and rights, or that took the whole fleet along, for the history that
/// admins see. Nothing secret is in it.
struct AuditEntry: Hashable, Sendable {
  /// With what.
  enum Kind: String, CaseIterable, Sendable {
    case account, fleet, identity, program, session, setting, token
  }

  let kind: Kind
  /// The name of the account, the token, the setting or the program's holder; the `id` of an identity.
  /// Of the fleet, what of it.
  let object: String
  let action: ChangeAction
  let fields: [FieldChange]

  /// - Parameter fields: what each was and is.
  init(
    _ kind: Kind, _ object: String, _ action: ChangeAction,
    _ fields: KeyValuePairs<String, (before: String?, after: String?)> = [:]
  ) {
    self.kind = kind
    self.object = object
    self.action = action
    self.fields = fields.map { field in
      FieldChange(
        field: field.key, before: field.value.before.map { .string($0) } ?? .null,
        after: field.value.after.map { .string($0) } ?? .null)
    }
  }

  /// What a condition on `kind` says for changes that are not of this sort. A bulk has none.
  static let others = "kind IN ('gateway', 'device', '')"
}

extension StorageTransaction {
  /// Writes down who did what with accounts and rights.
  func audit(
    _ entry: AuditEntry, by actor: String, at time: Timestamp
  ) throws(StorageError) {
    do throws(FleetFailure) {
      var work = FleetWork(self, actor: actor, time: time)
      try work.log(
        RecordChange(
          number: try work.nextNumber(), time: time, actor: actor, kind: entry.kind.rawValue,
          object: entry.object, action: entry.action, fields: entry.fields))
    } catch {
      switch error {
      case .storage(let error): throw error
      case .refused: throw StorageError(.failed, "the history takes nothing")
      }
    }
  }
}
