import LunaHome
import LunaJSON
import LunaTesting
import Testing

@testable import LunaHomeWeb

/// What people make in the app, when several change it at once.
@Suite(.timeLimit(.minutes(10))) struct ObjectEndpointsTests {
  private static func place(_ id: String, _ name: String) -> JSONValue {
    ["id": .string(id), "name": .string(name), "latitude": 52, "longitude": 13, "radius": 100]
  }

  /// The statuses of requests that come at once, in order.
  private static func statuses(
    _ count: Int, _ request: @escaping @Sendable (Int) async -> Int
  ) async -> [Int] {
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<count { group.addTask { await request(number) } }
      var statuses: [Int] = []
      for await status in group { statuses.append(status) }
      return statuses.sorted()
    }
  }

  @Test func ofManyChangesOfOneVersionOneIsMade() async throws {
    let home = try await SharingHome()
    for round in 0..<4 {
      let id = "w\(round)"
      let made = await home.ask("POST", "places", ObjectEndpointsTests.place(id, "W"))
      #expect(made.status == 201)
      let tag = made.tag
      let changed = await ObjectEndpointsTests.statuses(8) { number in
        let place = ObjectEndpointsTests.place(id, "W \(number)")
        return await home.ask("PUT", "places/" + id, place, tag: tag).status
      }
      #expect(changed == [200] + [Int](repeating: 412, count: 7))
    }
    let made = await ObjectEndpointsTests.statuses(8) { number in
      await home.ask("POST", "places", ObjectEndpointsTests.place("same", "\(number)")).status
    }
    #expect(made == [201] + [Int](repeating: 409, count: 7))
    await home.home.stop()
  }

  /// Else what people have made would not go together any more, and all of it be left out.
  @Test func noPlaceGoesThatARuleComesToNeed() async throws {
    let home = try await SharingHome()
    for round in 0..<8 {
      let id = "p\(round)"
      _ = await home.ask("POST", "places", ObjectEndpointsTests.place(id, "P"))
      let rule: JSONValue = [
        "name": "R", "when": [["enter": ["place": .string(id)]]], "then": [["blink": [:]]],
      ]
      let statuses = await ObjectEndpointsTests.statuses(2) { number in
        number == 0
          ? await home.ask("DELETE", "places/" + id, tag: "*").status
          : await home.ask("POST", "rules", rule).status
      }
      // Either there is no such place, or it is in use.
      #expect(statuses == [204, 422] || statuses == [201, 409])
    }
    await home.home.stop()
  }

  @Test func anyOfAListOfVersionsWillDo() async throws {
    let home = try await SharingHome()
    let tag = await home.ask("POST", "places", ObjectEndpointsTests.place("w", "W")).tag ?? ""
    for other in ["W/\(tag)", "\"x\"", "", "\"x\", W/\(tag)", tag.replacing("\"", with: "")] {
      let place = ObjectEndpointsTests.place("w", "V")
      #expect(await home.ask("PUT", "places/w", place, tag: other).status == 412)
    }
    for list in ["\(tag)", "\"x\", \(tag)", "\(tag),\"x\"", "\"x\" , \(tag) ,W/\"y\""] {
      let place = ObjectEndpointsTests.place("w", "W")
      #expect(await home.ask("PUT", "places/w", place, tag: list).status == 200)
    }
    await home.home.stop()
  }

  @Test func aContactHasAnAddressToWhichMailCanGo() async throws {
    let home = try await SharingHome()
    for email in ["ben", "ben@", "@example.org", "a b@example.org", "a@b, c@d", ""] {
      let made = await home.ask("POST", "contacts", ["id": "ben", "email": .string(email)])
      #expect(made.status == 422 && made.json["code"] == "email" && made.json["field"] == "email")
    }
    let made = await home.ask("POST", "contacts", ["id": "ben", "email": "ben@example.org"])
    #expect(made.status == 201)
    let changed = await home.ask(
      "PUT", "contacts/ben", ["email": "ben.example.org"], tag: made.tag)
    #expect(changed.status == 422)
    #expect(await home.ask("POST", "contacts", ["id": "ada", "phone": "1"]).status == 201)
    await home.home.stop()
  }

  /// Ids that nobody has chosen are nothing to read.
  @Test func whatPeopleHaveMadeIsToldByName() async throws {
    let home = try await SharingHome(hasBike: true)
    let made = await home.ask("POST", "places", ObjectEndpointsTests.place("w", "Work"))
    #expect(made.status == 201)
    let names = await home.ask("GET", "trackers").json["names"]
    let all: JSONValue = ["places": ["w": "Work"], "rules": [:], "contacts": [:]]
    #expect(names == all)
    // A guest whose trackers are not there does not even learn that there is such a place.
    let few = await home.ask("GET", "trackers", as: .guest).json["names"]
    let none: JSONValue = ["places": [:]]
    #expect(few == none)
    await home.home.stop()
  }

  @Test func headIsAnsweredAsGetIs() async throws {
    let home = try await SharingHome()
    let tag = await home.ask("POST", "places", ObjectEndpointsTests.place("w", "W")).tag
    let head = await home.ask("HEAD", "places/w")
    #expect(head.status == 200 && head.tag == tag)
    #expect(await home.ask("HEAD", "places/w", as: nil).status == 401)
    #expect(await home.ask("HEAD", "shares", as: .member).status == 404)
    #expect(await home.ask("HEAD", "reload").status == 405)
    await home.home.stop()
  }

  @Test func whatTheFileHasNoPlaceForIsToldAndCanBeMended() async throws {
    let home = try await SharingHome()
    func notices() async -> [JSONValue] {
      guard case .array(let notices)? = await home.ask("GET", "problems").json["notices"] else {
        return []
      }
      return notices.filter { $0["kind"] == "unusable" }
    }
    for id in ["a", "b"] {
      let rule: JSONValue = [
        "id": .string(id), "name": "R", "when": [["enter": ["place": "gone"]]],
        "then": [["blink": [:]]],
      ]
      try await home.keep(rule, id, .rules)
    }
    #expect(await home.ask("POST", "reload").status == 200)
    let told = await notices()
    #expect(told.count == 1)
    #expect(told.first?["text"]?.text?.hasSuffix(#"; b: there is no place "gone""#) == true)
    #expect(
      await home.ask("POST", "places", ObjectEndpointsTests.place("w", "W")).status == 201)
    // What is left out keeps nobody from testing a rule, but one that is wrong itself.
    func test(_ place: String) async -> Int {
      let rule: JSONValue = [
        "id": "t", "when": [["enter": ["place": .string(place)]]], "then": [["blink": [:]]],
      ]
      return await home.ask("POST", "rules/test", ["rule": rule]).status
    }
    #expect(await home.ask("POST", "rules/test", [:]).status == 200)
    #expect(await test("w") == 200)
    #expect(await test("none") == 422)
    for id in ["a", "b"] {
      #expect(await home.ask("DELETE", "rules/" + id, tag: "*").status == 204)
    }
    #expect(await notices().isEmpty)
    await home.home.stop()
  }

  /// Else it would be gone from the app, and nobody could remove it.
  @Test func whatTheFileWinsOverIsToldListedAndCanBeChanged() async throws {
    let home = try await SharingHome(contacts: [["id": "ben", "name": "File"]])
    func told() async -> String? {
      guard case .array(let notices)? = await home.ask("GET", "problems").json["notices"] else {
        return nil
      }
      return notices.first { $0["kind"] == "unusable" }?["text"]?.text
    }
    func listed() async -> [String] {
      guard case .array(let all)? = await home.ask("GET", "contacts").json["contacts"] else {
        return []
      }
      return all.map { contact in
        ["id", "name"].map { contact[$0]?.text ?? "" }.joined(separator: " ")
          + (contact["managedBy"] == "web" ? " web" : "")
      }
    }
    #expect(await told() == nil)
    try await home.keep(["id": "ben", "name": "Web"], "ben", .contacts)
    #expect(await home.ask("POST", "reload").status == 200)
    #expect(await told()?.hasSuffix(": ben in contacts is ben-web") == true)
    #expect(await listed() == ["ben File", "ben-web Web web"])
    let tag = await home.ask("GET", "contacts/ben-web").tag
    let changed = await home.ask("PUT", "contacts/ben-web", ["name": "Webb"], tag: tag)
    #expect(changed.status == 200 && changed.json["id"] == "ben-web")
    #expect(await home.ask("GET", "contacts/ben-web").tag == changed.tag)
    #expect(await listed() == ["ben File", "ben-web Webb web"])
    #expect(await home.ask("POST", "contacts", ["id": "ben-web"]).status == 409)
    #expect(await home.ask("DELETE", "contacts/ben", tag: "*").status == 409)
    #expect(await home.ask("DELETE", "contacts/ben-web", tag: changed.tag).status == 204)
    #expect(await listed() == ["ben File"])
    #expect(await told() == nil)
    await home.home.stop()
  }
}
