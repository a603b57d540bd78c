import Bluetooth
import Diagnosis
import LunaCore
import LunaFleet
import LunaJSON

extension FleetWork {
  /// Makes a record for a label that was scanned.
  ///
  /// - Parameter edit: fields that stand above those of the label.
  mutating func add(
    _ payload: GatewayPayload, _ edit: RecordEdit, allowsNoPosition: Bool
  ) throws(FleetFailure) -> (gateway: Gateway, change: Int64) {
    if let other = try gateways(
      where: "print = $1 OR id = $2", [.bytes(payload.print.bytes), .text(payload.print.id)]
    ).first {
      throw .refused(try refusal(of: other))
    }
    var fields = payload.fields
    for member in edit.fields.members where member.value != .null {
      fields.members.removeAll { $0.name == member.name }
      fields.append(member.name, member.value)
    }
    let gateway = Gateway(
      id: payload.print.id, key: payload.print.key, fields: FleetWork.ordered(fields),
      hardware: GatewayHardware(payload), createdAt: time, enrolledBy: actor,
      enrolment: Enrolment(print: payload.print, scannedAt: time))
    return (gateway, try add(gateway, allowsNoPosition: allowsNoPosition))
  }

  /// What is said of a label whose gateway has a record already.
  private func refusal(of other: Gateway) throws(FleetFailure) -> FleetRefusal {
    guard other.removedAt != nil else {
      return .taken(
        FleetError(.alreadyEnrolled, "this gateway has a record already"), gateway: other,
        change: nil)
    }
    let removal = try changes(of: .gateway, other.id).last { $0.action == .remove }
    return .taken(
      FleetError(.wasRemoved, "this gateway was removed", remedy: "undo the removal"),
      gateway: other, change: removal?.number)
  }

  /// Makes a record by hand; its gateway gets its token by a code.
  mutating func add(
    _ edit: RecordEdit, allowsNoPosition: Bool
  ) throws(FleetFailure) -> (gateway: Gateway, change: Int64) {
    let id = try randomID()
    var key = "gw-\(id)"
    if case .string(let name)? = edit.fields["name"], TokenRecord.isName(name),
      try !isUsed(name)
    {
      key = name
    }
    var fields = edit.fields
    fields.members.removeAll { $0.value == .null }
    let gateway = Gateway(
      id: id, key: key, fields: FleetWork.ordered(fields), createdAt: time, enrolledBy: actor)
    return (gateway, try add(gateway, allowsNoPosition: allowsNoPosition))
  }

  private func isUsed(_ key: String) throws(FleetFailure) -> Bool {
    let used = try rows(
      """
      SELECT 1 FROM luna.fleet WHERE key = $1
      UNION ALL SELECT 1 FROM luna.tokens WHERE role = 'gateway' AND name = $1
      UNION ALL SELECT 1 FROM luna.gateways WHERE name = $1
      """, [.text(key)])
    return !used.isEmpty
  }

  private mutating func add(
    _ gateway: Gateway, allowsNoPosition: Bool, bulk: Int64? = nil
  ) throws(FleetFailure) -> Int64 {
    try checkName(of: gateway)
    guard allowsNoPosition || gateway.place?.position != nil else {
      throw .refused(
        .error(
          FleetError(
            .noPosition, "it is not said where the gateway is", field: "place",
            remedy: "give a position, or allow that there is none")))
    }
    try checkPicture(gateway.text("picture"))
    let number = try nextNumber()
    try insert(gateway, change: number)
    try log(
      RecordChange(
        number: number, time: time, actor: actor, kind: RecordKind.gateway.rawValue,
        object: gateway.id, action: .add, revision: gateway.revision,
        fields: gateway.fields.members.map {
          FieldChange(field: $0.name, before: .null, after: $0.value)
        }, bulk: bulk))
    return number
  }

  /// Makes the record of a gateway that has a token and none yet.
  mutating func adopt(_ key: String) throws(FleetFailure) -> Gateway {
    if let present = try gateways(where: "key = $1", [.text(key)]).first { return present }
    let id = try randomID()
    func make(_ name: String) -> Gateway {
      Gateway(
        id: id, key: key, fields: ["name": .string(name)], createdAt: time,
        enrolledBy: actor.isEmpty ? nil : actor)
    }
    // Names of tokens may differ in nothing but case; those of gateways may not.
    var gateway = make(key)
    let taken = try rows(
      "SELECT 1 FROM luna.fleet WHERE folded = $1 AND removed IS NULL", [.text(gateway.foldedName)])
    if !taken.isEmpty { gateway = make("\(key) (\(id))") }
    _ = try add(gateway, allowsNoPosition: true)
    return gateway
  }

  /// Makes many records, all or none.
  mutating func add(
    _ edits: [(line: Int, edit: RecordEdit)]
  ) throws(FleetFailure) -> (change: Int64, gateways: [Gateway]) {
    let bulk = try beginBulk()
    var gateways: [Gateway] = []
    var errors: [FleetError] = []
    for (line, edit) in edits {
      do throws(FleetFailure) {
        let gateway = try add(edit, allowsNoPosition: true)
        gateways.append(gateway.gateway)
        try run(
          "UPDATE luna.changes SET bulk = $1 WHERE number = $2",
          [.integer(bulk), .integer(gateway.change)])
      } catch {
        guard case .refused(let refusal) = error, let reason = refusal.fleetError else {
          throw error
        }
        errors.append(
          FleetError(
            reason.code, reason.diagnosis.reason, field: reason.field, position: line,
            remedy: reason.diagnosis.remedy))
      }
    }
    guard errors.isEmpty else { throw .refused(.fields(FieldErrors(errors))) }
    return (bulk, gateways)
  }

  /// Edits a record.
  ///
  /// - Returns: the record, whether there were other changes since, and the number of the change; nil
  ///   where nothing is different.
  mutating func edit(
    _ id: String, _ edit: RecordEdit, undoes: Int64? = nil, bulk: Int64? = nil
  ) throws(FleetFailure) -> (gateway: Gateway, isMerged: Bool, change: Int64?) {
    var gateway = try present(id)
    let since =
      try edit.revision.map { revision throws(FleetFailure) in
        try changes(of: .gateway, id, revision: revision)
      } ?? []
    let merge = RecordMerge(
      edit, fields: gateway.fields, revision: gateway.revision, changes: since)
    switch merge {
    case .futureRevision: throw .refused(.futureRevision)
    case .conflicts(let conflicts): throw .refused(.conflicts(conflicts, gateway))
    case .applied(let changes, let isMerged):
      if changes.isEmpty { return (gateway, isMerged, nil) }
      gateway.fields = RecordMerge.apply(changes, to: gateway.fields)
      gateway.revision += 1
      try checkName(of: gateway)
      try checkPicture(gateway.text("picture"))
      let number = try nextNumber()
      try update(gateway, change: number)
      try log(
        RecordChange(
          number: number, time: time, actor: actor, kind: RecordKind.gateway.rawValue, object: id,
          action: .edit, revision: gateway.revision, fields: changes, undoes: undoes, bulk: bulk))
      return (gateway, isMerged, number)
    }
  }

  /// Removes a record: its tokens are not good until it is back.
  mutating func remove(
    _ id: String, undoes: Int64? = nil, bulk: Int64? = nil
  ) throws(FleetFailure) -> Int64 {
    var gateway = try present(id)
    gateway.removedAt = time
    return try step(&gateway, .remove, undoes: undoes, bulk: bulk)
  }

  /// Brings a removed record back.
  mutating func restore(
    _ id: String, undoes: Int64?, bulk: Int64? = nil
  ) throws(FleetFailure) -> Int64 {
    guard var gateway = try gateway(id) else {
      throw .refused(.missing("no gateway has this id"))
    }
    try checkName(of: gateway)
    gateway.removedAt = nil
    return try step(&gateway, .restore, undoes: undoes, bulk: bulk)
  }

  /// Writes down that something other than fields is different.
  mutating func step(
    _ gateway: inout Gateway, _ action: ChangeAction, undoes: Int64? = nil, bulk: Int64? = nil
  ) throws(FleetFailure) -> Int64 {
    gateway.revision += 1
    let number = try nextNumber()
    try update(gateway, change: number)
    try log(
      RecordChange(
        number: number, time: time, actor: actor, kind: RecordKind.gateway.rawValue,
        object: gateway.id, action: action, revision: gateway.revision, undoes: undoes, bulk: bulk))
    return number
  }

  /// Fields in their order, as ``RecordMerge/apply(_:to:)`` leaves them.
  private static func ordered(_ fields: JSONObject) -> JSONObject {
    RecordMerge.apply([], to: fields)
  }
}
