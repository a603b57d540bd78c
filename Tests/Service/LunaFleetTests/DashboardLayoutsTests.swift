import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct DashboardLayoutsTests {
  private static func read(_ text: String) throws -> DashboardLayouts {
    try DashboardLayouts(json: try JSONReader.read(Array(text.utf8)))
  }

  @Test func takesOneOrSeveralAndReplacesThoseWithAsManyColumns() throws {
    let both = try Self.read(
      #"{"layouts":[{"columns":4,"widgets":[]},{"columns":2,"widgets":[]}]}"#)
    #expect(both.layouts.map(\.columns) == [2, 4])
    let one = try Self.read(
      #"{"columns":4,"widgets":[{"name":"a","size":"small","row":7,"column":3}]}"#)
    let new = both.replacing(one)
    #expect(new.layouts.map(\.columns) == [2, 4])
    #expect(new.layouts[1].widgets.map(\.name) == ["a"])
    #expect(DashboardLayouts().replacing(one).layouts == one.layouts)
    #expect(try DashboardLayouts(json: new.json).json == new.json)
  }

  @Test(
    arguments: [
      "3", "[]", "{}", #"{"layouts":{}}"#, #"{"layouts":[1]}"#, #"{"layouts":null}"#,
      #"{"layouts":[{"columns":2,"widgets":[]},{"columns":2,"widgets":[]}]}"#,
      #"{"columns":3,"widgets":[]}"#, #"{"columns":2}"#,
      #"{"columns":2,"widgets":[{"name":"a","size":"small","row":0,"column":2}]}"#,
      #"{"columns":2,"widgets":[{"name":"a","size":"medium","row":0,"column":1}]}"#,
      #"{"columns":2,"widgets":[{"name":"a","size":"large","row":0,"column":0}]}"#,
      #"{"columns":2,"widgets":[{"name":"a","size":"small","row":8,"column":0}]}"#,
    ])
  func refuses(text: String) throws {
    let error = #expect(throws: FleetError.self) { try Self.read(text) }
    #expect(error?.code == .layout)
  }
}
