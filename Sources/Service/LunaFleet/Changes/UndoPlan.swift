public import Bluetooth
import Diagnosis

/// What takes a change back.
public enum UndoPlan: Hashable, Sendable {
  /// Fields get their values of before.
  case edit([FieldChange])
  /// The record is removed.
  case remove
  /// The record comes back.
  case restore
  /// A device is shown again.
  case recall

  /// For how long a change can be taken back.
  public static let patience = Duration.seconds(30 * 86_400)

  /// Plans the undoing of one change, which is no bulk.
  ///
  /// - Parameters:
  ///   - later: the changes of the same record after it.
  ///   - isRemoved: whether the record is removed, or hidden, now; nil where it is gone for good.
  /// - Throws: why it cannot be taken back.
  public init(
    _ change: RecordChange, later: [RecordChange], isRemoved: Bool?, at time: Timestamp
  ) throws(FleetError) {
    guard RecordKind(rawValue: change.kind) != nil else {
      throw FleetError(.notUndoable, "only changes of gateways and devices can be taken back")
    }
    if later.contains(where: { $0.undoes == change.number }) {
      throw FleetError(.alreadyUndone, "change \(change.number) was taken back already")
    }
    guard time <= change.time.advanced(by: UndoPlan.patience) else {
      throw FleetError(.tooOld, "change \(change.number) is more than 30 days old")
    }
    // What was made again under the same name is another record.
    guard let isRemoved, !later.contains(where: { $0.action == .purge }) else {
      throw FleetError(.gone, "the record of change \(change.number) is gone for good")
    }
    let standing = UndoPlan.standing(later)
    switch change.action {
    case .edit:
      let names = Set(change.fields.map(\.field))
      let again = standing.first { $0.fields.contains { names.contains($0.field) } }
      if let again { throw .changedSince(change, again) }
      if isRemoved {
        throw FleetError(.changedSince, "the record was removed since", remedy: "undo that first")
      }
      self = .edit(
        change.fields.map {
          FieldChange(field: $0.field, before: $0.after, after: $0.before)
        })
    case .add, .restore:
      // Whoever did something with it wants it to be there.
      if let again = standing.first { throw .changedSince(change, again) }
      self = .remove
    case .remove, .forget:
      if let again = later.first(where: { [.remove, .restore, .recall].contains($0.action) }) {
        throw .changedSince(change, again)
      }
      guard isRemoved else {
        throw FleetError(.changedSince, "the record is there again already")
      }
      self = change.action == .remove ? .restore : .recall
    case .enrol, .admit, .bulk, .recall, .purge, .export, .invite, .signIn, .refuse, .signOut:
      throw FleetError(.notUndoable, "a change of this kind cannot be taken back")
    }
  }

  /// Changes without those that were taken back, and without what took them back: together they changed nothing.
  private static func standing(_ changes: [RecordChange]) -> [RecordChange] {
    let numbers = Set(changes.map(\.number))
    var gone: Set<Int64> = []
    for change in changes.reversed() where !gone.contains(change.number) {
      guard let undone = change.undoes, numbers.contains(undone) else { continue }
      gone.formUnion([change.number, undone])
    }
    return changes.filter { !gone.contains($0.number) }
  }
}

extension FleetError {
  fileprivate static func changedSince(
    _ change: RecordChange, _ later: RecordChange
  ) -> FleetError {
    FleetError(
      .changedSince,
      "change \(later.number) by \(later.actor) came after change \(change.number)",
      remedy: "undo that one first")
  }
}
