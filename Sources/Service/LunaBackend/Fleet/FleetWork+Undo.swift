import LunaFleet
import LunaJSON

extension FleetWork {
  /// Takes a change back, as a new change.
  ///
  /// - Returns: the number of that, nil where nothing of a bulk could be taken back; and what became of each
  ///   record where it was a bulk.
  mutating func undo(_ number: Int64) throws(FleetFailure) -> (
    change: Int64?, results: [BulkResult]?
  ) {
    guard let change = try changes(where: "number = $1", [.integer(number)]).first else {
      throw .refused(.missing("no change has this number"))
    }
    guard change.action == .bulk else { return (try undo(change, bulk: nil), nil) }
    let parts = try changes(where: "bulk = $1", [.integer(number)])
    let bulk = try nextNumber()
    var results: [BulkResult] = []
    // Backwards, as each came after those before it.
    for part in parts.reversed() {
      do throws(FleetFailure) {
        _ = try undo(part, bulk: bulk)
        results.append(BulkResult(id: part.object, status: .done, code: nil))
      } catch {
        guard case .refused(let refusal) = error else { throw error }
        results.append(BulkResult(id: part.object, status: .refused, code: refusal.code))
      }
    }
    // What is wholly refused is no change.
    guard lastNumber != bulk else { return (nil, results.reversed()) }
    try logBulk(bulk, undoes: number)
    return (bulk, results.reversed())
  }

  private mutating func undo(_ change: RecordChange, bulk: Int64?) throws(FleetFailure) -> Int64 {
    let kind = RecordKind(rawValue: change.kind)
    let later =
      try kind.map { kind throws(FleetFailure) in
        try changes(of: kind, change.object, after: change.number)
      } ?? []
    let isAway = try isAway(kind, change.object)
    let plan: UndoPlan
    do throws(FleetError) {
      plan = try UndoPlan(change, later: later, isRemoved: isAway, at: time)
    } catch { throw .refused(.error(error)) }
    switch (plan, kind) {
    case (.edit(let fields), .gateway?):
      let edit = RecordEdit(.gateway, restoring: fields)
      return try self.edit(change.object, edit, undoes: change.number, bulk: bulk).change
        ?? change.number
    case (.edit(let fields), _):
      let edit = RecordEdit(.device, restoring: fields)
      return try editDevice(change.object, edit, undoes: change.number, bulk: bulk).change
        ?? change.number
    case (.remove, _): return try remove(change.object, undoes: change.number, bulk: bulk)
    case (.restore, _): return try restore(change.object, undoes: change.number, bulk: bulk)
    case (.recall, _):
      return try setForgotten(change.object, nil, .recall, undoes: change.number, bulk: bulk)
    }
  }
}
