import Bluetooth
import LunaCore
package import LunaDocuments
import LunaProtocol

/// All that is known of one device, for people.
extension DeviceDocument {
  /// A line for each thing that is known.
  ///
  /// - Parameters:
  ///   - revealing: whether the keys are shown.
  ///   - width: How wide a line may be; nil where that does not matter.
  package func details(
    _ clock: ClockText, revealing: Bool = false, width: Int? = nil
  ) -> [String] {
    var rows = [
      ["Name", device.name], ["Kind", device.keys.kind.rawValue],
      ["Device", device.uuid.description],
    ]
    if let time = device.onboarded {
      rows.append([clock.head("Onboarded"), clock.dateAndTime(time)])
    }
    if device.isUnauthenticated { rows.append(["Onboarded", "without a code"]) }
    rows.append([
      clock.head("Last seen"), sighting.map { clock.dateAndTime($0.receivedAt) } ?? "never",
    ])
    if let sighting {
      rows.append(["Address then", sighting.address.description])
      if let rssi = sighting.rssi { rows.append(["RSSI", "\(rssi) dBm"]) }
      if let isLow = sighting.batteryLow { rows.append(["Battery", isLow ? "low" : "normal"]) }
    }
    if let interval = self.clock?.interval {
      let (low, high) = (
        DecimalText.text(interval.low, digits: 3), DecimalText.text(interval.high, digits: 3)
      )
      let time = clock.dateAndTime(Timestamp(unixMilliseconds: interval.time))
      rows.append([
        clock.head("Its clock"), "\(low) to \(high) s ahead of this machine's at \(time)",
      ])
    }
    // By the names that lines and files of devices have for them.
    if revealing { rows += keys.map { [$0.label, $0.value] } }
    return PairLines.lines(rows, width: width)
  }
}
