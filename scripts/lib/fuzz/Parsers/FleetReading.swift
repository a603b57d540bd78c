import Bluetooth
import LunaCore
import LunaFleet
import LunaJSON
import LunaWire

/// What people and gateways give a fleet: labels, pictures, searches, files, edits and layouts. The
/// first byte chooses.
enum FleetReading {
  static func run(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let bytes = Array(bytes.dropFirst())
    let text = String(decoding: bytes, as: UTF8.self)
    switch kind % 5 {
    case 0:
      guard let payload = try? GatewayPayload(text: text) else { return }
      precondition((try? GatewayPayload(text: payload.text)) == payload, "a label that changes")
    case 1:
      guard let picture = try? FleetPicture(stripping: bytes) else { return }
      precondition(
        (try? FleetPicture(stripping: picture.bytes))?.bytes == picture.bytes,
        "what was stripped is stripped to something else")
    case 2: _ = try? FleetSearch(text)
    case 3: for line in (try? GatewayFile.read(bytes)) ?? [] { _ = try? line.edit() }
    default: readDocument(bytes)
    }
  }

  private static func readDocument(_ bytes: [UInt8]) {
    guard let json = try? JSONReader.read(bytes) else { return }
    _ = try? EnrolmentOffer(json: json)
    _ = try? DeviceReport(json: json)
    if let layout = try? DashboardLayout(json: json) {
      precondition((try? DashboardLayout(json: layout.json)) == layout, "a layout that changes")
    }
    guard case .object(let object) = json else { return }
    for kind in RecordKind.allCases {
      guard let edit = try? RecordEdit(kind, json: object) else { continue }
      // What is kept is taken again as it is.
      let again = try? RecordEdit(kind, json: edit.fields)
      precondition(again?.fields == edit.fields, "a field that changes")
    }
  }
}
