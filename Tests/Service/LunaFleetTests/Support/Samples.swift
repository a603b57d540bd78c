import Bluetooth
import LunaCrypto
import LunaJSON

@testable import LunaFleet

enum Samples {
  static let now = Timestamp(microseconds: 1_800_000_000_000_000)

  static func gateway(
    _ name: String, _ fields: JSONObject = [:], id: String = "0011223344556677"
  ) throws -> Gateway {
    var json = fields
    json.append("name", .string(name))
    let edit = try RecordEdit(.gateway, json: json)
    var hardware = GatewayHardware()
    hardware.mac = [0xC0, 0xFF, 0xEE, 0, 0, 1]
    hardware.ip = [192, 0, 2, 7]
    hardware.model = "Model 3"
    return Gateway(
      id: id, key: "gw-\(id)", fields: edit.fields, hardware: hardware, createdAt: now)
  }

  static func change(
    _ number: Int64, _ action: ChangeAction = .edit, revision: Int64 = 0,
    _ fields: [FieldChange] = [], undoes: Int64? = nil, time: Timestamp = now,
    kind: String = "gateway"
  ) -> RecordChange {
    RecordChange(
      number: number, time: time, actor: "ann", kind: kind, object: "0011223344556677",
      action: action, revision: revision, fields: fields, undoes: undoes)
  }
}
