import LunaHome
import LunaJSON
import LunaStore
import LunaTesting
import Testing

@testable import LunaHomeWeb

@Suite("Places and rules beside those of the file")
struct HomeObjectsTests {
  private let folder = TestFolder()

  @Test("The file wins: another one of its id has another name, and is off")
  func fileWins() async throws {
    let objects = HomeObjects(try await HomeStore.beside(in: StateDirectory(path: folder.path)))
    let text = """
      {"rules": [{"id": "a", "name": "File", "when": [{"system": "start"}], "then": [{"blink": {}}]}]}
      """
    let file = HomeFile(Array(text.utf8))
    #expect(file.isUsable)
    for id in ["a", "b"] {
      let rule: JSONValue = [
        "id": .string(id), "name": "Web", "when": [["system": "start"]], "then": [["blink": [:]]],
      ]
      try await objects.put(HomeObject(id: id, value: rule), .rules)
    }
    let merged = try await objects.merged(with: file, in: HomeSurroundings())
    #expect(merged.isUsable)
    let rules = HomeConfiguration(merged).ruleSummaries
    #expect(rules.map(\.id) == ["a", "a-web", "b"])
    #expect(rules.map(\.name) == ["File", "Web", "Web"])
    #expect(rules.map(\.isEnabled) == [true, false, true])
    try await objects.remove("a", .rules)
    let without = try await objects.merged(with: file, in: HomeSurroundings())
    #expect(HomeConfiguration(without).ruleSummaries.map(\.id) == ["a", "b"])
  }

  @Test("What does not go together with the file is left out, and nothing else")
  func leavesOut() async throws {
    let objects = HomeObjects(try await HomeStore.beside(in: StateDirectory(path: folder.path)))
    func rule(_ id: String, _ place: String) -> JSONValue {
      [
        "id": .string(id), "name": "Web", "when": [["enter": ["place": .string(place)]]],
        "then": [["blink": [:]]],
      ]
    }
    func place(_ id: String) -> JSONValue {
      ["id": .string(id), "name": "Place", "latitude": 52, "longitude": 13, "radius": 100]
    }
    try await objects.put(HomeObject(id: "shed", value: place("shed")), .places)
    for (id, name) in [("a", "home"), ("b", "shed"), ("c", "home")] {
      try await objects.put(HomeObject(id: id, value: rule(id, name)), .rules)
    }
    let text = """
      {"rules": [{"id": "f", "name": "File", "when": [{"system": "start"}], "then": [{"blink": {}}]}]}
      """
    let file = HomeFile(Array(text.utf8))
    let (fitting, leftOut) = try await objects.fitting(file, in: HomeSurroundings())
    #expect(HomeConfiguration(fitting).ruleSummaries.map(\.id) == ["f", "b"])
    #expect(
      leftOut?.hasSuffix(#": a: there is no place "home"; c: there is no place "home""#) == true)

    // It keeps nobody from mending it, or from anything else.
    let before = try await objects.merged(with: file, in: HomeSurroundings())
    func isTaken(_ kind: HomeObject.Kind, _ id: String, _ value: JSONValue?) async throws -> Bool {
      let change = HomeObjectChange(kind: kind, id: id, value: value)
      let after = try await objects.merged(with: file, in: HomeSurroundings(), with: change)
      return (try? HomeObjectKeeper.refuse(after, than: before)) != nil
    }
    #expect(try await isTaken(.rules, "a", nil))
    #expect(try await isTaken(.rules, "a", rule("a", "shed")))
    #expect(try await isTaken(.places, "home", place("home")))
    #expect(try await isTaken(.rules, "d", rule("d", "shed")))
    #expect(try await isTaken(.rules, "d", rule("d", "home")) == false)
    #expect(try await isTaken(.places, "shed", nil) == false)
    try await objects.put(HomeObject(id: "home", value: place("home")), .places)
    #expect(try await objects.fitting(file, in: HomeSurroundings()).leftOut == nil)
  }
}
