import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaFleet
import LunaJSON

/// The fleet within one transaction.
struct FleetWork {
  private let transaction: any StorageTransaction
  let actor: String
  let time: Timestamp
  /// The number of the last change of all.
  private(set) var lastNumber: Int64?

  init(_ transaction: any StorageTransaction, actor: String, time: Timestamp) {
    self.transaction = transaction
    self.actor = actor
    self.time = time
  }

  func rows(
    _ statement: String, _ parameters: [StorageValue] = []
  ) throws(FleetFailure) -> [StorageRow] {
    do throws(StorageError) {
      return try transaction.rows(statement, parameters)
    } catch { throw .storage(error) }
  }

  func row(
    _ statement: String, _ parameters: [StorageValue] = []
  ) throws(FleetFailure) -> StorageRow? {
    try rows(statement, parameters).first
  }

  @discardableResult func run(
    _ statement: String, _ parameters: [StorageValue]
  ) throws(FleetFailure) -> Int {
    do throws(StorageError) {
      return try transaction.change(statement, parameters)
    } catch { throw .storage(error) }
  }

  func read<Record>(
    _ rows: [StorageRow], _ record: (StorageRow) throws(StorageError) -> Record
  ) throws(FleetFailure) -> [Record] {
    do throws(StorageError) {
      var records: [Record] = []
      for row in rows { records.append(try record(row)) }
      return records
    } catch { throw .storage(error) }
  }

  /// The record with an `id`; nil when there is none. Also a removed one.
  func gateway(_ id: String) throws(FleetFailure) -> Gateway? {
    try gateways(where: "id = $1", [.text(id)]).first
  }

  func gateways(
    where condition: String, _ parameters: [StorageValue]
  ) throws(FleetFailure) -> [Gateway] {
    try read(
      try rows(
        "SELECT \(FleetRow.gatewayColumns) FROM luna.fleet WHERE \(condition)", parameters),
      FleetRow.gateway)
  }

  /// The record with an `id` that is present.
  func present(_ id: String) throws(FleetFailure) -> Gateway {
    guard let gateway = try gateway(id), gateway.removedAt == nil else {
      throw .refused(.missing("no gateway has this id"))
    }
    return gateway
  }

  /// Refuses what was asked for a record as it was before.
  ///
  /// - Parameters:
  ///   - revisions: those for which it was asked; nil for whichever there is.
  ///   - object: the record as changes call it. That there is none, those say who do what was asked.
  func check(
    _ revisions: [Int64]?, of kind: RecordKind, _ object: String
  ) throws(FleetFailure) {
    guard let revisions else { return }
    let present =
      switch kind {
      case .gateway: try gateway(object)?.revision
      case .device: try device(object)?.revision
      }
    guard let present, !revisions.contains(present) else { return }
    throw .refused(.otherRevision)
  }

  /// Refuses a name that another one has.
  func checkName(of gateway: Gateway) throws(FleetFailure) {
    let others = try gateways(
      where: "folded = $1 AND removed IS NULL AND id <> $2",
      [.text(gateway.foldedName), .text(gateway.id)])
    guard let other = others.first else { return }
    throw .refused(
      .taken(
        FleetError(.nameTaken, "another gateway has this name", field: "name"), gateway: other,
        change: nil))
  }

  func insert(_ gateway: Gateway, change: Int64) throws(FleetFailure) {
    try run(
      """
      INSERT INTO luna.fleet(id, key, folded, revision, change, fields, hardware, print, scanned,
        digest, created, enrolled_by, removed)
      VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """, values(gateway, change))
  }

  func update(_ gateway: Gateway, change: Int64) throws(FleetFailure) {
    try run(
      """
      UPDATE luna.fleet SET key = $2, folded = $3, revision = $4, change = $5, fields = $6,
        hardware = $7, print = $8, scanned = $9, digest = $10, created = $11, enrolled_by = $12,
        removed = $13 WHERE id = $1
      """, values(gateway, change))
  }

  private func values(_ gateway: Gateway, _ change: Int64) -> [StorageValue] {
    [
      .text(gateway.id), .text(gateway.key), .text(gateway.foldedName), .integer(gateway.revision),
      .integer(change), .text(JSONValue.object(gateway.fields).description),
      .text(JSONValue.object(gateway.hardware.json).description),
      .bytes(gateway.enrolment?.print.bytes),
      .integer(gateway.enrolment?.scannedAt.microseconds),
      .bytes(gateway.enrolment?.tokenDigest), .integer(gateway.createdAt.microseconds),
      .text(gateway.enrolledBy), .integer(gateway.removedAt?.microseconds),
    ]
  }

  /// The number of the next change: they follow each other as the transactions do.
  mutating func nextNumber() throws(FleetFailure) -> Int64 {
    if lastNumber == nil {
      lastNumber = try row("SELECT coalesce(max(number), 0) FROM luna.changes")?.integer(0)
    }
    let (number, overflows) = (lastNumber ?? 0).addingReportingOverflow(1)
    guard !overflows else {
      throw .storage(StorageError(.damaged, "the number of a change is the largest there is"))
    }
    lastNumber = number
    return number
  }

  /// Writes a change down.
  func log(_ change: RecordChange) throws(FleetFailure) {
    try run(
      """
      INSERT INTO luna.changes(number, time, actor, kind, object, action, revision, fields, undoes,
        bulk) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      [
        .integer(change.number), .integer(change.time.microseconds), .text(change.actor),
        .text(change.kind), .text(change.object), .text(change.action.rawValue),
        .integer(change.revision), .text(RecordChange.json(change.fields).description),
        .integer(change.undoes), .integer(change.bulk),
      ])
  }

  /// Changes, oldest first.
  ///
  /// - Parameter newest: whether the limit keeps the last of them, and not the first.
  func changes(
    where condition: String, _ parameters: [StorageValue], newest: Bool = false, limit: Int? = nil
  ) throws(FleetFailure) -> [RecordChange] {
    let end = (newest ? " DESC" : "") + (limit.map { " LIMIT \($0)" } ?? "")
    let changes = try read(
      try rows(
        "SELECT \(FleetRow.changeColumns) FROM luna.changes WHERE \(condition) ORDER BY number\(end)",
        parameters), FleetRow.change)
    return newest ? changes.reversed() : changes
  }

  /// The changes of a record that come after a revision or a change.
  func changes(
    of kind: RecordKind, _ object: String, after number: Int64 = 0, revision: Int64 = -1
  ) throws(FleetFailure) -> [RecordChange] {
    try changes(
      where: "kind = $1 AND object = $2 AND number > $3 AND revision > $4",
      [.text(kind.rawValue), .text(object), .integer(number), .integer(revision)])
  }

  /// Ends the tokens of a gateway, what it is signed in with, and the codes with which it could get others.
  func endTokens(of key: String) throws(FleetFailure) {
    try run(
      "UPDATE luna.tokens SET revoked = $1 WHERE role = 'gateway' AND name = $2 AND revoked IS NULL",
      [.integer(time.microseconds), .text(key)])
    try run("DELETE FROM luna.enrolments WHERE name = $1", [.text(key)])
    for table in ["refresh", "grants"] {
      try run("DELETE FROM luna.\(table) WHERE kind = 'gateway' AND holder = $1", [.text(key)])
    }
  }

  /// 16 random hexadecimal digits.
  func randomID() throws(FleetFailure) -> String {
    do throws(CryptoError) {
      let bytes: InlineArray<8, UInt8> = try SecureRandom.bytes()
      return Hex.lower(bytes.indices.map { bytes[$0] })
    } catch { throw .storage(StorageError(.failed, error.description)) }
  }
}
