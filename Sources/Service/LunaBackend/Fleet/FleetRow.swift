import Bluetooth
import Diagnosis
import LunaCore
import LunaFleet
import LunaJSON

/// Records as rows.
enum FleetRow {
  static let gatewayColumns =
    "id, key, revision, fields, hardware, print, scanned, digest, created, enrolled_by, removed"
  static let changeColumns =
    "number, time, actor, kind, object, action, revision, fields, undoes, bulk"
  static let deviceColumns =
    "gateway, ref, family, first_heard, last_heard, hours, band, fields, revision, forgotten"

  static func gateway(_ row: StorageRow) throws(StorageError) -> Gateway {
    let enrolment = row.optionalBytes(5).flatMap { GatewayPrint($0) }.map {
      Enrolment(
        print: $0, scannedAt: Timestamp(microseconds: row.integer(6)),
        tokenDigest: row.optionalBytes(7))
    }
    return Gateway(
      id: row.text(0), key: row.text(1), revision: revision(row.integer(2)),
      fields: try object(row.text(3)), hardware: GatewayHardware(json: try object(row.text(4))),
      createdAt: Timestamp(microseconds: row.integer(8)), enrolledBy: row.optionalText(9),
      removedAt: row.optionalInteger(10).map { Timestamp(microseconds: $0) }, enrolment: enrolment)
  }

  static func change(_ row: StorageRow) throws(StorageError) -> RecordChange {
    guard let action = ChangeAction(rawValue: row.text(5)) else {
      throw StorageError(.damaged, "a change is of no known kind")
    }
    return RecordChange(
      number: row.integer(0), time: Timestamp(microseconds: row.integer(1)), actor: row.text(2),
      kind: row.text(3), object: row.text(4), action: action, revision: row.integer(6),
      fields: RecordChange.fields(json: .object(try object(row.text(7)))),
      undoes: row.optionalInteger(8), bulk: row.optionalInteger(9))
  }

  static func device(_ row: StorageRow) throws(StorageError) -> FleetDevice {
    let last = Timestamp(microseconds: row.integer(4))
    let report = DeviceReport(
      ref: row.text(1), family: row.text(2), first: Timestamp(microseconds: row.integer(3)),
      last: last,
      hours: HeardHours(bits: UInt32(truncatingIfNeeded: row.integer(5)), at: last),
      band: DeviceBand(rawValue: row.text(6)) ?? .far)
    return FleetDevice(
      gateway: row.text(0), report: report, fields: try object(row.text(7)),
      revision: revision(row.integer(8)),
      forgottenAt: row.optionalInteger(9).map { Timestamp(microseconds: $0) })
  }

  /// A revision that has successors, whatever a damaged row says.
  private static func revision(_ stored: Int64) -> Int64 { max(0, min(stored, .max / 2)) }

  private static func object(_ text: String) throws(StorageError) -> JSONObject {
    guard case .object(let object)? = try? JSONReader.read(Array(text.utf8)) else {
      throw StorageError(.damaged, "the fields of a record are not JSON")
    }
    return object
  }
}
