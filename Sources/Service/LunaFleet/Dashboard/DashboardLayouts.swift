import Diagnosis
public import LunaJSON

/// The layouts of somebody, one for each number of columns.
public struct DashboardLayouts: Hashable, Sendable {
  /// The layouts, each with another number of columns, the narrowest first.
  public private(set) var layouts: [DashboardLayout] = []

  /// No layout, of somebody who has arranged nothing.
  public init() {}

  /// Reads one layout, or `{layouts: [...]}` with several.
  public init(json: JSONValue) throws(FleetError) {
    guard case .object(let object) = json, let value = object["layouts"] else {
      layouts = [try DashboardLayout(json: json)]
      return
    }
    guard case .array(let values) = value, values.count <= DashboardLayout.columnChoices.count
    else { throw FleetError(.layout, "layouts is no list, or too long", field: "layouts") }
    for value in values {
      let layout = try DashboardLayout(json: value)
      guard !layouts.contains(where: { $0.columns == layout.columns }) else {
        throw FleetError(.layout, "two layouts have as many columns", field: "layouts")
      }
      layouts.append(layout)
    }
    layouts.sort { $0.columns < $1.columns }
  }

  /// These, and instead of those with as many columns the others.
  public func replacing(_ others: DashboardLayouts) -> DashboardLayouts {
    var result = others
    result.layouts += layouts.filter { mine in
      !others.layouts.contains { $0.columns == mine.columns }
    }
    result.layouts.sort { $0.columns < $1.columns }
    return result
  }

  /// The layouts as JSON.
  public var json: JSONValue { ["layouts": .array(layouts.map(\.json))] }
}
