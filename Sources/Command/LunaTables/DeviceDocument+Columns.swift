import Bluetooth
import LunaCore
package import LunaDocuments
import LunaProtocol
package import TerminalTable

/// A device as a row of columns.
extension DeviceDocument {
  /// The columns of the table.
  package static func heads(_ clock: ClockText) -> [ColumnTable.Column] {
    [
      .init(title: "NAME", minimum: 12), .init(title: "KIND", minimum: 8, isOptional: true),
      .init(title: "DEVICE", minimum: 9),
      .init(title: clock.head("ONBOARDED"), isOptional: true),
      .init(title: clock.head("LAST SEEN")),
      .init(title: "RSSI", isNumber: true, isOptional: true),
    ]
  }

  package func cells(_ clock: ClockText) -> [String] {
    [
      device.name, device.keys.kind.rawValue, device.uuid.description,
      device.onboarded.map(clock.dateAndTime) ?? "-",
      sighting.map { clock.dateAndTime($0.receivedAt) } ?? "never",
      sighting?.rssi.map { String($0) } ?? "-",
    ]
  }
}
