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
}
