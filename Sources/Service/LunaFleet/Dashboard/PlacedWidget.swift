/// A widget and where it is.
public struct PlacedWidget: Hashable, Sendable {
  /// What it shows.
  public let name: String
  /// How much room it takes.
  public let size: WidgetSize
  /// Its left slot.
  public var slot: DashboardSlot

  /// A widget at a slot.
  public init(name: String, size: WidgetSize, slot: DashboardSlot) {
    self.name = name
    self.size = size
    self.slot = slot
  }

  var slots: [DashboardSlot] { PlacedWidget.slots(size, slot) }

  static func slots(_ size: WidgetSize, _ slot: DashboardSlot) -> [DashboardSlot] {
    (0..<size.width).map { DashboardSlot(row: slot.row, column: slot.column + $0) }
  }
}
