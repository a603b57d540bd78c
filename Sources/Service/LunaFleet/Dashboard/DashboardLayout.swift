/// Where the widgets of a dashboard are, and what becomes of them when one is added, dropped or removed.
///
/// The page has the same machine; both are held to the vectors of the tests.
public struct DashboardLayout: Hashable, Sendable {
  /// How many rows there are, however few widgets.
  public static let rows = 8
  /// How many columns there can be: on a narrow page, and on another.
  public static let columnChoices = [2, 4]

  private struct State: Hashable, Sendable {
    var widgets: [PlacedWidget]
    var lastUsed: DashboardSlot
  }

  /// How many columns it has: one of ``columnChoices``.
  public let columns: Int
  private var state: State
  private var before: State?

  /// The widgets, in the order of their slots.
  public var widgets: [PlacedWidget] { state.widgets }
  /// Where a widget was put last; the upper left slot at first.
  public var lastUsed: DashboardSlot { state.lastUsed }

  /// A layout.
  ///
  /// - Throws: what is wrong with it.
  public init(
    columns: Int, widgets: [PlacedWidget] = [],
    lastUsed: DashboardSlot = DashboardSlot(row: 0, column: 0)
  ) throws(FleetError) {
    guard DashboardLayout.columnChoices.contains(columns) else {
      throw FleetError(.layout, "a dashboard has 2 or 4 columns", field: "columns")
    }
    self.columns = columns
    state = State(widgets: widgets.sorted { $0.slot < $1.slot }, lastUsed: lastUsed)
    guard Set(widgets.map(\.name)).count == widgets.count else {
      throw FleetError(.layout, "a widget is there twice", field: "widgets")
    }
    let fits = widgets.allSatisfy { isPlace($0.size, $0.slot) }
    guard fits, Set(widgets.flatMap(\.slots)).count == widgets.reduce(0, { $0 + $1.size.width })
    else {
      throw FleetError(
        .layout, "a widget is beside the dashboard or on another one", field: "widgets")
    }
    guard isPlace(.small, lastUsed) else {
      throw FleetError(.layout, "the slot that was used last is none", field: "lastUsed")
    }
  }

  /// Adds a widget from the library: at the free slot nearest to the one used last.
  public mutating func add(_ name: String, _ size: WidgetSize) -> DashboardOutcome {
    guard !widgets.contains(where: { $0.name == name }) else { return .nothing }
    guard let slot = nearestFree(size, to: lastUsed, taken: taken(widgets)) else { return .full }
    change(widgets + [PlacedWidget(name: name, size: size, slot: slot)], used: slot)
    return .done
  }

  /// Drops a widget at a slot: it moves there, changes places with one of its size, or pushes those of
  /// another size to the nearest free slots.
  public mutating func drop(_ name: String, at target: DashboardSlot) -> DashboardOutcome {
    guard var moved = widgets.first(where: { $0.name == name }) else { return .nothing }
    let (origin, others) = (moved.slot, widgets.filter { $0.name != name })
    let slot =
      moved.size == .small
      ? target : DashboardSlot(row: target.row, column: target.column & ~1)
    guard isPlace(moved.size, slot), slot != origin else { return .nothing }
    moved.slot = slot
    let inTheWay = others.filter { !Set($0.slots).isDisjoint(with: moved.slots) }
    var rest = others.filter { !inTheWay.contains($0) } + [moved]
    for var widget in inTheWay {
      let home =
        widget.size == moved.size
        ? origin : nearestFree(widget.size, to: widget.slot, taken: taken(rest))
      guard let home else { return .nothing }
      widget.slot = home
      rest.append(widget)
    }
    change(rest, used: slot)
    return .done
  }

  /// Puts a widget back into the library.
  public mutating func remove(_ name: String) -> DashboardOutcome {
    guard widgets.contains(where: { $0.name == name }) else { return .nothing }
    change(widgets.filter { $0.name != name }, used: lastUsed)
    return .done
  }

  /// Takes the last step back, once.
  public mutating func undo() -> DashboardOutcome {
    guard let before else { return .nothing }
    state = before
    self.before = nil
    return .done
  }

  private mutating func change(_ widgets: [PlacedWidget], used slot: DashboardSlot) {
    before = state
    state = State(widgets: widgets.sorted { $0.slot < $1.slot }, lastUsed: slot)
  }

  /// Whether a widget of a size can be at a slot at all.
  private func isPlace(_ size: WidgetSize, _ slot: DashboardSlot) -> Bool {
    (0..<DashboardLayout.rows).contains(slot.row) && (0..<columns).contains(slot.column)
      && (size == .small || slot.column.isMultiple(of: 2))
  }

  private func taken(_ widgets: [PlacedWidget]) -> Set<DashboardSlot> {
    Set(widgets.flatMap(\.slots))
  }

  /// The free slot with the fewest rows and columns between; of equal ones the upper, then the left one.
  private func nearestFree(
    _ size: WidgetSize, to slot: DashboardSlot, taken: Set<DashboardSlot>
  ) -> DashboardSlot? {
    (0..<DashboardLayout.rows).flatMap { row in
      stride(from: 0, to: columns, by: size.width).map { DashboardSlot(row: row, column: $0) }
    }
    .filter { taken.isDisjoint(with: PlacedWidget.slots(size, $0)) }
    .min { ($0.distance(to: slot), $0) < ($1.distance(to: slot), $1) }
  }
}
