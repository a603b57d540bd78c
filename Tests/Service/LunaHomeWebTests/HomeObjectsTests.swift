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
    // It is off since the file came to have its id, which nobody would know else.
    let (fitting, said) = try await objects.fitting(file, in: HomeSurroundings())
    #expect(HomeConfiguration(fitting).ruleSummaries.map(\.id) == ["a", "a-web", "b"])
    #expect(
      said
        == "the file wins over what people have made in the app with an id of the file: "
        + "a in rules is a-web, and is off")
    try await objects.remove("a", .rules)
    let without = try await objects.merged(with: file, in: HomeSurroundings())
    #expect(HomeConfiguration(without).ruleSummaries.map(\.id) == ["a", "b"])
    #expect(try await objects.fitting(file, in: HomeSurroundings()).leftOut == nil)
  }

  @Test("A place of the file has its name; the other one is there beside it, and both are told of")
  func fileWinsPlaces() async throws {
    let objects = HomeObjects(try await HomeStore.beside(in: StateDirectory(path: folder.path)))
    let place: JSONValue = ["id": "a", "latitude": 52, "longitude": 13, "radius": 100]
    try await objects.put(HomeObject(id: "a", value: place), .places)
    // What cannot stand beside it is told as well.
    let rule: JSONValue = [
      "id": "r", "when": [["enter": ["place": "gone"]]], "then": [["blink": [:]]],
    ]
    try await objects.put(HomeObject(id: "r", value: rule), .rules)
    let file = HomeFile(Array(#"{"places": [\#(place)]}"#.utf8))
    let (fitting, said) = try await objects.fitting(file, in: HomeSurroundings())
    #expect(fitting.objects("places").compactMap { $0.value["id"]?.text } == ["a", "a-web"])
    #expect(said?.contains("an id of the file: a in places is a-web; what people") == true)
    #expect(said?.hasSuffix(#"left out: r: there is no place "gone""#) == true)
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
