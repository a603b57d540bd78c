import Bluetooth
import LunaCore
package import LunaDocuments
import LunaProtocol
package import TerminalTable

/// A device as a row of columns.
extension DeviceDocument {
  /// The columns of the table.
  package static let heads: [ColumnTable.Column] = [
    .init(title: "NAME", minimum: 12), .init(title: "KIND", minimum: 8, isOptional: true),
    .init(title: "DEVICE", minimum: 9), .init(title: "ONBOARDED (UTC)", isOptional: true),
    .init(title: "LAST SEEN (UTC)"), .init(title: "RSSI", isNumber: true, isOptional: true),
  ]

  package var cells: [String] {
    [
      device.name, device.keys.kind.rawValue, device.uuid.description,
      device.onboarded.map(ClockText.dateAndTime) ?? "-",
      sighting.map { ClockText.dateAndTime($0.receivedAt) } ?? "never",
      sighting?.rssi.map { String($0) } ?? "-",
    ]
  }
}
