import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON

extension FleetWork {
  /// How long changes are kept.
  static let historyLifetime = Duration.seconds(400 * 86_400)
  /// How long a picture is kept that no record shows: undo can bring it back.
  private static let pictureLifetime = Duration.seconds(31 * 86_400)

  /// How many removed records are dropped in one transaction: with each go two thousand samples, and uploads come
  /// between them.
  private static let removedCount = 8

  /// Drops some of the removed records that are kept no longer.
  ///
  /// - Returns: whether there may be more.
  mutating func purgeRemoved() throws(FleetFailure) -> Bool {
    let removed = try gateways(
      where: "removed IS NOT NULL AND removed < $1 ORDER BY removed, id LIMIT $2",
      [before(Gateway.removedLifetime), .integer(Int64(FleetWork.removedCount))])
    for gateway in removed { _ = try purge(gateway) }
    return removed.count == FleetWork.removedCount
  }

  /// Drops what else is kept no longer: devices, changes, and pictures that nothing shows.
  mutating func purge() throws(FleetFailure) {
    try run(
      "DELETE FROM luna.devices WHERE last_heard < $1 AND (fields = '{}' OR last_heard < $2)",
      [before(FleetDevice.lifetime), before(FleetDevice.editedLifetime)])
    try run("DELETE FROM luna.staying WHERE hour < $1", [before(FleetDevice.editedLifetime)])
    // The last one stays, as numbers go on from it.
    try run(
      """
      DELETE FROM luna.changes
      WHERE time < $1 AND number < (SELECT max(number) FROM luna.changes)
      """, [before(FleetWork.historyLifetime)])
    try purgePictures()
  }

  /// Drops a removed record for good.
  mutating func purge(_ id: String) throws(FleetFailure) -> Int64 {
    guard let gateway = try gateway(id) else {
      throw .refused(.missing("no gateway has this id"))
    }
    guard gateway.removedAt != nil else { throw .refused(.notRemoved) }
    return try purge(gateway)
  }

  /// Drops a record for good, with its tokens and sign-ins, and what its gateway told; its history stays.
  private mutating func purge(_ gateway: Gateway) throws(FleetFailure) -> Int64 {
    try endTokens(of: gateway.key)
    // Nor does it come back as one whom an issuer of others knows: they wait for an admin anew.
    try run(
      "DELETE FROM luna.identities WHERE kind = 'gateway' AND holder = $1", [.text(gateway.key)])
    // Its label may be scanned again: of the new record, which has the same key, all that is not true.
    for (table, column) in [("gateways", "name"), ("health", "gateway"), ("samples", "gateway")] {
      try run("DELETE FROM luna.\(table) WHERE \(column) = $1", [.text(gateway.key)])
    }
    let number = try nextNumber()
    try run("DELETE FROM luna.fleet WHERE id = $1", [.text(gateway.id)])
    try log(
      RecordChange(
        number: number, time: time, actor: actor, kind: RecordKind.gateway.rawValue,
        object: gateway.id, action: .purge, revision: gateway.revision + 1))
    return number
  }

  private func purgePictures() throws(FleetFailure) {
    var shown: Set<String> = []
    let fields =
      try read(
        try rows(
          "SELECT \(FleetRow.gatewayColumns) FROM luna.fleet WHERE fields LIKE '%\"picture\"%'"),
        FleetRow.gateway
      ).map(\.fields)
      + devices(where: "fields LIKE $1", [.text("%\"picture\"%")]).map(\.fields)
    for fields in fields { if case .string(let hash)? = fields["picture"] { shown.insert(hash) } }
    let old = try rows(
      "SELECT hash FROM luna.pictures WHERE created < $1", [before(FleetWork.pictureLifetime)])
    for row in old where !shown.contains(row.text(0)) {
      // Taken off lately, it may come back by an undo.
      let recent = try rows(
        "SELECT 1 FROM luna.changes WHERE time > $1 AND fields LIKE $2 LIMIT 1",
        [before(FleetWork.pictureLifetime), .text("%\(row.text(0))%")])
      if recent.isEmpty { try run("DELETE FROM luna.pictures WHERE hash = $1", [row.values[0]]) }
    }
  }

  private func before(_ age: Duration) -> StorageValue {
    .integer(time.advanced(by: .zero - age).microseconds)
  }
}
