import LunaJSON
import Testing
import WebAccess

@testable import LunaHome
@testable import LunaHomeWeb

/// The document of the API has all that the API takes and answers.
@Suite(.timeLimit(.minutes(10))) struct HomeAPISchemaTests {
  /// The members of a schema, with those of the schemas that it takes in.
  private func keys(_ name: String) throws -> Set<String> {
    let schema = try #require(HomeAPISchema.components["schemas"]?[name], "\(name)")
    var found = keys(of: schema["properties"])
    if case .array(let parts)? = schema["allOf"] {
      for part in parts {
        let other = try #require(part["$ref"]?.text?.split(separator: "/").last)
        found.formUnion(try keys(String(other)))
      }
    }
    return found
  }

  private func keys(of value: JSONValue?) -> Set<String> {
    guard case .object(let object)? = value else { return [] }
    return Set(object.members.map(\.name))
  }

  private func first(_ value: JSONValue?) throws -> JSONValue {
    var list: [JSONValue] = []
    if case .array(let found)? = value { list = found }
    return try #require(list.first)
  }

  @Test(arguments: ["Place", "Rule", "Contact"])
  func whatPeopleMakeHasTheKeysOfTheFile(name: String) throws {
    let shape = ["Place": HomeKeys.place, "Rule": HomeKeys.rule, "Contact": HomeKeys.contact][name]
    guard case .object(let members)? = shape else {
      Issue.record("\(name) is no object of the file")
      return
    }
    #expect(try keys(name) == Set(members.keys.map(\.name)))
  }

  @Test func answersHaveTheKeysOfTheDocument() async throws {
    let home = try await SharingHome(hasBike: true)
    let place = await home.ask(
      "POST", "places",
      [
        "id": "garden", "name": "Garden", "latitude": 52, "longitude": 13, "radius": 50,
        "leaveRadius": 120, "enterAfter": "10s", "leaveAfter": "1m", "dwell": "5m",
        "color": "#00aa00",
      ])
    #expect(place.status == 201, "\(place.json)")
    #expect(try keys(of: place.json) == keys("ShownPlace"))
    let contact = await home.ask("POST", "contacts", ["name": "Ben", "email": "b@example.org"])
    #expect(contact.status == 201, "\(contact.json)")
    #expect(try keys(of: contact.json).isSubset(of: keys("ShownContact")))
    let rule = await home.ask(
      "POST", "rules", ["when": [["message": "left"]], "then": [["wait": "1s"]]])
    #expect(rule.status == 201, "\(rule.json)")
    let listed = try first(await home.ask("GET", "rules").json["rules"])
    #expect(try keys(of: listed).isSubset(of: keys("ShownRule")))
    #expect(listed["status"] != nil)
    let tracker = await home.ask("GET", "trackers/bike")
    #expect(try keys(of: tracker.json) == keys("Tracker"), "\(tracker.json)")
    _ = await home.ask("POST", "accounts", ["name": "ben", "role": "member"])
    let account = try first(await home.ask("GET", "accounts").json["accounts"])
    #expect(try keys(of: account) == keys("ShownAccount"))
    await home.home.stop()
  }

  @Test func listsHaveTheKeysOfTheDocument() async throws {
    let home = try await SharingHome(hasBike: true)
    let lists = [
      "places": "Places", "rules": "Rules", "contacts": "Contacts", "accounts": "Accounts",
      "trackers": "Trackers", "cards": "Cards", "shares": "Shares", "runs": "Runs",
      "firings": "Firings", "problems": "FileProblems", "outbox": "Outbox",
    ]
    for (path, name) in lists {
      let answer = await home.ask("GET", path)
      #expect(answer.status == 200, "\(path)")
      #expect(try keys(of: answer.json) == keys(name), "\(path)")
      let declared = HomeAPI.endpoints.first {
        $0.declaration.method == "GET" && $0.declaration.path == "/api/v1/" + path
      }
      #expect(
        declared?.declaration.replies.first?.content?.schema == OpenAPIDocument.reference(name))
    }
    let card = await home.ask("PUT", "card", ["name": "Box"])
    #expect(card.status == 200, "\(card.json)")
    #expect(try keys(of: card.json) == keys("Card"))
    await home.home.stop()
  }

  /// Only what is there already has an ETag that a request can name.
  @Test func onlyChangesAreOfARevision() {
    for endpoint in HomeAPI.endpoints
    where endpoint.declaration.problems.contains(where: { [412, 428].contains($0.status) }) {
      #expect(["PUT", "PATCH", "DELETE"].contains(endpoint.declaration.method))
    }
  }

  /// Who reads the document is to know what is in a list.
  @Test func noListIsOfAnything() {
    for endpoint in HomeAPI.endpoints where endpoint.declaration.operation.hasPrefix("list") {
      let schema = endpoint.declaration.replies.first?.content?.schema
      #expect(schema != OpenAPIDocument.reference("Object"), "\(endpoint.declaration.operation)")
    }
  }

  @Test func nothingInJSONIsDescribedAsText() {
    for endpoint in HomeAPI.endpoints {
      for reply in endpoint.declaration.replies {
        guard let (type, schema) = reply.content, type.hasSuffix("json") else { continue }
        // Lines, each of which is JSON.
        if type == "application/x-ndjson" { continue }
        #expect(schema["type"] != "string", "\(endpoint.declaration.operation)")
      }
    }
  }
}
