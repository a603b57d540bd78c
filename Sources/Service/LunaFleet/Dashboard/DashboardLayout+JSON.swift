import Diagnosis
public import LunaJSON

extension DashboardLayout {
  /// Reads a layout as the page keeps it: `{columns, widgets: [{name, size, row, column}], lastUsed?}`.
  public init(json: JSONValue) throws(FleetError) {
    do throws(FormatError) {
      let members = try JSONMembers(json, name: "the layout")
      let columns = Int(try members.integer("columns", in: 2...4))
      let values = try members.array("widgets")
      guard values.count <= DashboardLayout.rows * columns else {
        throw FormatError("widgets", "has more elements than there are slots")
      }
      var widgets: [PlacedWidget] = []
      for value in values {
        let widget = try JSONMembers(value, name: "a widget")
        let name = try widget.string("name")
        guard (1...128).contains(name.utf8.count) else {
          throw FormatError("name", "is not 1 to 128 characters")
        }
        guard let size = WidgetSize(rawValue: try widget.string("size")) else {
          throw FormatError("size", "is neither small nor medium")
        }
        widgets.append(
          PlacedWidget(name: name, size: size, slot: try DashboardLayout.slot(widget)))
      }
      var lastUsed = DashboardSlot(row: 0, column: 0)
      if let value = members.optional("lastUsed") {
        lastUsed = try DashboardLayout.slot(try JSONMembers(value, name: "lastUsed"))
      }
      do throws(FleetError) {
        try self.init(columns: columns, widgets: widgets, lastUsed: lastUsed)
      } catch {
        throw FormatError(error.field ?? "widgets", error.reason)
      }
    } catch {
      throw FleetError(.layout, error.description, field: error.member)
    }
  }

  private static func slot(_ members: JSONMembers) throws(FormatError) -> DashboardSlot {
    DashboardSlot(
      row: Int(try members.integer("row", in: 0...7)),
      column: Int(try members.integer("column", in: 0...3)))
  }

  /// The layout as JSON.
  public var json: JSONValue {
    func members(_ slot: DashboardSlot) -> JSONObject {
      ["row": .integer(Int64(slot.row)), "column": .integer(Int64(slot.column))]
    }
    return [
      "columns": .integer(Int64(columns)),
      "widgets": .array(
        widgets.map { widget in
          var object: JSONObject = [
            "name": .string(widget.name), "size": .string(widget.size.rawValue),
          ]
          for member in members(widget.slot).members { object.append(member.name, member.value) }
          return .object(object)
        }),
      "lastUsed": .object(members(lastUsed)),
    ]
  }
}
