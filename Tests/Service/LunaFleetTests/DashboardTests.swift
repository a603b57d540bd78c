import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct DashboardTests {
  private func slot(_ members: JSONMembers) throws -> DashboardSlot {
    DashboardSlot(
      row: Int(try members.integer("row", in: 0...9)),
      column: Int(try members.integer("column", in: 0...9)))
  }

  private func step(_ value: JSONValue, _ layout: inout DashboardLayout) throws -> DashboardOutcome
  {
    let step = try JSONMembers(value, name: "step")
    switch try step.string("kind") {
    case "add":
      let size = try #require(WidgetSize(rawValue: try step.string("size")))
      return layout.add(try step.string("name"), size)
    case "drop": return layout.drop(try step.string("name"), at: try slot(step))
    case "remove": return layout.remove(try step.string("name"))
    default: return layout.undo()
    }
  }

  @Test func doesWhatAnotherProgramDoes() throws {
    let cases = try VectorFile.cases("DashboardVectors.json", "cases")
    #expect(cases.count >= 200)
    for item in cases {
      let name = try item.string("id")
      var layout = try DashboardLayout(json: .object(item.object))
      var outcomes: [JSONValue] = []
      for value in try item.array("steps") {
        outcomes.append(.string(try step(value, &layout).rawValue))
      }
      #expect(try outcomes == item.array("outcomes"), "\(name)")
      let json = try JSONMembers(layout.json, name: "")
      #expect(try json.array("widgets") == item.array("out"), "\(name)")
      #expect(json.object["lastUsed"] == item.object["lastUsedAfter"], "\(name)")
      #expect(try DashboardLayout(json: layout.json).widgets == layout.widgets, "\(name)")
    }
  }

  private static func widget(_ name: String, _ size: String, _ row: Int64, _ column: Int64)
    -> JSONValue
  {
    [
      "name": .string(name), "size": .string(size), "row": .integer(row),
      "column": .integer(column),
    ]
  }

  @Test(
    arguments: [
      ["columns": 3, "widgets": []], ["columns": 4], ["widgets": []],
      ["columns": 2, "widgets": [widget("a", "small", 0, 2)]],
      ["columns": 2, "widgets": [widget("a", "small", 8, 0)]],
      ["columns": 4, "widgets": [widget("a", "medium", 0, 1)]],
      ["columns": 4, "widgets": [widget("a", "large", 0, 0)]],
      ["columns": 4, "widgets": [widget("a", "small", 0, 0), widget("a", "small", 1, 0)]],
      ["columns": 4, "widgets": [widget("a", "medium", 0, 0), widget("b", "small", 0, 1)]],
      ["columns": 4, "widgets": [widget("", "small", 0, 0)]],
      ["columns": 4, "widgets": [], "lastUsed": ["row": 9, "column": 0]],
      ["columns": 2, "widgets": [], "lastUsed": ["row": 0, "column": 3]],
    ] as [JSONValue])
  func refuses(_ json: JSONValue) {
    let error = #expect(throws: FleetError.self) { try DashboardLayout(json: json) }
    #expect(error?.code == .layout)
  }
}
