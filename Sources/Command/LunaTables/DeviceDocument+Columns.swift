import Bluetooth
import LunaCore
package import LunaDocuments
import LunaOwner
import LunaProtocol
package import TerminalTable

/// A device as a row of columns.
extension DeviceDocument {
  /// How wide a line is at least that tells when this machine heard a device, and beside it where gateways did, and
  /// when.
  private static let widthOfPlaces = 78

  /// The columns of the table.
  ///
  /// - Parameters:
  ///   - showsPlaces: whether those are among them that tell where gateways heard a device last. A narrow terminal
  ///     has no room for its uuid then; its name is one, too.
  ///   - width: how wide a line may be; nil where that does not matter. Where there is only room for it, what was
  ///     asked for is all that is told.
  package static func heads(
    _ clock: ClockText, showsPlaces: Bool = false, width: Int? = nil
  ) -> [ColumnTable.Column] {
    if showsPlaces, let width, width < widthOfPlaces {
      return [
        .init(title: "NAME", minimum: 3), .init(title: "WHERE"), .init(title: clock.head("WHEN")),
      ]
    }
    let heads: [ColumnTable.Column] = [
      .init(title: "NAME", minimum: 8), .init(title: "KIND", minimum: 8, isOptional: true),
      .init(title: "DEVICE", minimum: 9, isOptional: showsPlaces),
      .init(title: clock.head("ONBOARDED"), isOptional: true),
      .init(title: clock.head("LAST SEEN")),
      .init(title: "RSSI", isNumber: true, isOptional: true),
    ]
    let places: [ColumnTable.Column] = [
      .init(title: "WHERE"), .init(title: clock.head("WHEN")),
      .init(title: "ACCURACY", isNumber: true, isOptional: true),
      .init(title: "NOTE", minimum: 4, isOptional: true),
    ]
    return showsPlaces ? heads + places : heads
  }

  /// The values of ``heads(_:showsPlaces:width:)``.
  package func cells(
    _ clock: ClockText, showsPlaces: Bool = false, width: Int? = nil
  ) -> [String] {
    if showsPlaces, let width, width < Self.widthOfPlaces {
      // Nobody is asked for more than the last days, so that the year goes without saying.
      return [
        device.name, newest.map { MapLink($0.record).coordinates } ?? "-",
        newest.map { clock.dayAndTime($0.collectedAt) } ?? "-",
      ]
    }
    let cells = [
      device.name, device.keys.kind.rawValue, device.uuid.description,
      device.onboarded.map(clock.dateAndTime) ?? "-",
      sighting.map { clock.dateAndTime($0.receivedAt) } ?? "never",
      sighting?.rssi.map { String($0) } ?? "-",
    ]
    guard showsPlaces else { return cells }
    guard let newest else { return cells + ["-", "-", "-", "-"] }
    return cells + [
      MapLink(newest.record).coordinates, clock.dateAndTime(newest.collectedAt),
      EventTable.accuracy(of: newest), EventTable.note(on: newest),
    ]
  }
}
