import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON

extension FleetWork {
  /// How many devices of a gateway are kept, beside those that somebody wrote about.
  static let deviceLimit = 1024
  /// How far ahead of this server's clock a gateway may be.
  private static let leeway = Duration.seconds(600)

  /// Takes what a gateway hears. What a clock that is wrong tells of hours to come is left out.
  func hear(_ reports: [DeviceReport], by key: String) throws(FleetFailure) {
    guard let gateway = try gateways(where: "key = $1 AND removed IS NULL", [.text(key)]).first
    else { return }
    let known = try devices(where: "gateway = $1", [.text(gateway.id)])
    var devices = Dictionary(known.map { ($0.report.ref, $0) }) { $1 }
    let end = time.advanced(by: FleetWork.leeway)
    for report in reports where report.last <= end {
      var device = FleetDevice(gateway: gateway.id, report: report)
      if let before = devices[report.ref] {
        device = before
        device.hear(report)
        guard device != before else { continue }
      }
      devices[report.ref] = device
      try put(device)
    }
    if devices.count > FleetWork.deviceLimit { try shorten(gateway.id) }
    try countStaying(Array(devices.values), of: gateway.id)
  }

  /// Lets go of those that were heard longest ago: a gateway must not fill the disk.
  private func shorten(_ gateway: String) throws(FleetFailure) {
    try run(
      """
      DELETE FROM luna.devices WHERE gateway = $1 AND fields = '{}' AND forgotten IS NULL
        AND ref NOT IN (SELECT ref FROM luna.devices WHERE gateway = $1 AND fields = '{}'
          ORDER BY last_heard DESC, ref LIMIT \(FleetWork.deviceLimit))
      """, [.text(gateway)])
  }

  /// Notes for the present hour and the one before how many unknown devices stay, by family.
  private func countStaying(
    _ devices: [FleetDevice], of gateway: String
  ) throws(FleetFailure) {
    let now = HeardHours.hour(of: time)
    let staying = devices.filter { $0.isStaying(at: time) }
    for hour in [now - 1, now] {
      let beginning = StorageValue.integer(HeardHours.beginning(of: hour).microseconds)
      // Of a family whose last one was approved, none are left.
      try run(
        "DELETE FROM luna.staying WHERE gateway = $1 AND hour = $2", [.text(gateway), beginning])
      var counts: [String: Int64] = [:]
      for device in staying where device.report.hours.moved(to: hour).bits & 1 != 0 {
        counts[device.report.family, default: 0] += 1
      }
      for (family, count) in counts.sorted(by: { $0.key < $1.key }) {
        try run(
          "INSERT INTO luna.staying(gateway, family, hour, count) VALUES($1, $2, $3, $4)",
          [.text(gateway), .text(family), beginning, .integer(count)])
      }
    }
  }

  /// How many unknown devices stayed, by hour and family, of one gateway or of all.
  func staying(
    of gateway: String? = nil, since: Timestamp
  ) throws(FleetFailure) -> [StayingCount] {
    let condition = gateway == nil ? "" : " AND gateway = $2"
    return try read(
      try rows(
        "SELECT hour, family, CAST(sum(count) AS INTEGER) FROM luna.staying WHERE hour >= $1\(condition) "
          + "GROUP BY hour, family ORDER BY hour, family",
        [.integer(since.microseconds)] + (gateway.map { [.text($0)] } ?? []))
    ) { row in
      StayingCount(
        hour: Timestamp(microseconds: row.integer(0)), family: row.text(1), count: row.integer(2))
    }
  }

  /// Devices, those heard last first.
  func devices(
    where condition: String, _ parameters: [StorageValue]
  ) throws(FleetFailure) -> [FleetDevice] {
    try read(
      try rows(
        "SELECT \(FleetRow.deviceColumns) FROM luna.devices WHERE \(condition) "
          + "ORDER BY last_heard DESC, ref", parameters), FleetRow.device)
  }

  /// The device that changes call `GATEWAY/REF`.
  func device(_ object: String) throws(FleetFailure) -> FleetDevice? {
    let parts = object.split(separator: "/", maxSplits: 1).map { String($0) }
    guard parts.count == 2 else { return nil }
    return try devices(where: "gateway = $1 AND ref = $2", [.text(parts[0]), .text(parts[1])]).first
  }

  /// Edits a device.
  mutating func editDevice(
    _ object: String, _ edit: RecordEdit, undoes: Int64? = nil, bulk: Int64? = nil
  ) throws(FleetFailure) -> (device: FleetDevice, isMerged: Bool, change: Int64?) {
    guard var device = try device(object) else {
      throw .refused(.missing("no device of this gateway has this ref"))
    }
    let since =
      try edit.revision.map { revision throws(FleetFailure) in
        try changes(of: .device, object, revision: revision)
      } ?? []
    switch RecordMerge(edit, fields: device.fields, revision: device.revision, changes: since) {
    case .futureRevision: throw .refused(.futureRevision)
    case .conflicts(let conflicts): throw .refused(.deviceConflicts(conflicts, device))
    case .applied(let changes, let isMerged):
      if changes.isEmpty { return (device, isMerged, nil) }
      device.fields = RecordMerge.apply(changes, to: device.fields)
      device.revision += 1
      if case .string(let hash)? = device.fields["picture"] { try checkPicture(hash) }
      let number = try nextNumber()
      try put(device)
      try log(
        RecordChange(
          number: number, time: time, actor: actor, kind: RecordKind.device.rawValue,
          object: object, action: .edit, revision: device.revision, fields: changes,
          undoes: undoes, bulk: bulk))
      return (device, isMerged, number)
    }
  }

  /// Hides a device, or shows it again.
  mutating func setForgotten(
    _ object: String, _ forgotten: Timestamp?, _ action: ChangeAction, undoes: Int64? = nil,
    bulk: Int64? = nil
  ) throws(FleetFailure) -> Int64 {
    guard var device = try device(object) else {
      throw .refused(.missing("no device of this gateway has this ref"))
    }
    device.forgottenAt = forgotten
    device.revision += 1
    let number = try nextNumber()
    try put(device)
    try log(
      RecordChange(
        number: number, time: time, actor: actor, kind: RecordKind.device.rawValue, object: object,
        action: action, revision: device.revision, undoes: undoes, bulk: bulk))
    return number
  }

  /// Whether a record is removed or hidden; nil where it is gone for good.
  func isAway(_ kind: RecordKind?, _ object: String) throws(FleetFailure) -> Bool? {
    switch kind {
    case .gateway?: try gateway(object).map { $0.removedAt != nil }
    case .device?: try device(object).map { $0.forgottenAt != nil }
    case nil: nil
    }
  }

  private func put(_ device: FleetDevice) throws(FleetFailure) {
    let report = device.report
    // Bits are kept from the hour of the last one heard.
    let hours = report.hours.moved(to: HeardHours.hour(of: report.last))
    try run(
      """
      INSERT INTO luna.devices(gateway, ref, family, first_heard, last_heard, hours, band, fields,
        revision, forgotten) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      ON CONFLICT(gateway, ref) DO UPDATE SET family = $3, first_heard = $4, last_heard = $5,
        hours = $6, band = $7, fields = $8, revision = $9, forgotten = $10
      """,
      [
        .text(device.gateway), .text(report.ref), .text(report.family),
        .integer(report.first.microseconds), .integer(report.last.microseconds),
        .integer(Int64(hours.bits)), .text(report.band.rawValue),
        .text(JSONValue.object(device.fields).description), .integer(device.revision),
        .integer(device.forgottenAt?.microseconds),
      ])
  }
}
