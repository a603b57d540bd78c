import LunaFleet

extension FleetWork {
  /// Begins a change that many others belong to.
  mutating func beginBulk() throws(FleetFailure) -> Int64 {
    let number = try nextNumber()
    try logBulk(number)
    return number
  }

  /// Writes down a change that many others belong to.
  func logBulk(_ number: Int64, undoes: Int64? = nil) throws(FleetFailure) {
    try log(
      RecordChange(
        number: number, time: time, actor: actor, kind: "", object: "", action: .bulk,
        undoes: undoes))
  }

  /// Edits or removes many records, each by itself.
  mutating func bulk(
    _ ids: [String], _ bulk: BulkEdit
  ) throws(FleetFailure) -> (change: Int64, results: [BulkResult]) {
    let number = try beginBulk()
    var results: [BulkResult] = []
    for id in ids {
      do throws(FleetFailure) {
        if bulk.removes {
          _ = try remove(id, bulk: number)
          results.append(BulkResult(id: id, status: .done, code: nil))
        } else {
          let edit = bulk.edit(of: try present(id))
          if let refusal = edit.tagsRefusal { throw .refused(.error(refusal)) }
          let isChanged = try self.edit(id, edit, bulk: number).change != nil
          results.append(BulkResult(id: id, status: isChanged ? .done : .unchanged, code: nil))
        }
      } catch {
        guard case .refused(let refusal) = error else { throw error }
        results.append(BulkResult(id: id, status: .refused, code: refusal.code))
      }
    }
    return (number, results)
  }
}
