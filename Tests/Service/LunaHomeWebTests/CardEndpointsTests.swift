import LunaHome
import LunaJSON
import LunaProtocol
import LunaShare
import Testing

@testable import LunaHomeWeb

/// Contact cards, as owners make and exchange them.
@Suite(.timeLimit(.minutes(10))) struct CardEndpointsTests {
  @Test func onlyOwnersHaveCards() async throws {
    let home = try await SharingHome()
    let paths = [
      ("GET", "card"), ("PUT", "card"), ("GET", "card/picture"), ("GET", "cards"),
      ("POST", "cards"),
      ("PUT", "cards/A"), ("DELETE", "cards/A"),
    ]
    for (method, path) in paths {
      let body: JSONValue? = ["PUT", "POST"].contains(method) ? [:] : nil
      #expect(await home.ask(method, path, body, as: nil).status == 401)
      for role in [HomeRole.guest, .member] {
        let status = method == "GET" ? 404 : 403
        #expect(await home.ask(method, path, body, as: role).status == status)
      }
    }
    await home.home.stop()
  }

  @Test func onesOwnIsMadeAndDrawn() async throws {
    let home = try await SharingHome()
    #expect(await home.ask("GET", "card").status == 404)
    #expect(await home.ask("GET", "card/picture").status == 404)
    #expect(await home.ask("PUT", "card", [:]).status == 422)
    #expect(await home.ask("PUT", "card", ["name": "a\nb"]).status == 422)
    #expect(await home.ask("PUT", "card", ["name": "Anna", "new": 1]).status == 400)
    let made = await home.ask("PUT", "card", ["name": "Anna"])
    #expect(made.status == 200)
    let card = try ContactCard(text: made.json["text"]?.text ?? "")
    #expect(card.name == "Anna")
    #expect(try made.json["code"]?.text == card.key.code())
    #expect(await home.ask("GET", "card").json == made.json)
    let picture = await home.ask("GET", "card/picture")
    #expect(picture.status == 200, "501 where libqrencode is not installed")
    #expect(String(decoding: picture.body, as: UTF8.self).hasPrefix("<svg"))
    // Another name is no other key.
    let renamed = await home.ask("PUT", "card", ["name": "<b>Anna</b>"]).json
    #expect(renamed["code"] == made.json["code"])
    #expect(renamed["text"] != made.json["text"])
    let new = await home.ask("PUT", "card", ["new": true]).json
    #expect(new["name"] == "<b>Anna</b>")
    #expect(new["code"] != made.json["code"])
    await home.home.stop()
  }

  @Test func thoseOfOthersAreAddedComparedAndRemoved() async throws {
    let (home, other) = (try await SharingHome(), try await SharingHome())
    let own = try await home.makeCard("Anna")
    let card = try await other.makeCard("Ben")
    for (text, status, code) in [
      ("LUNACARD:2:AA", 422, "card"), (own["text"]?.text ?? "", 422, "ownCard"),
    ] {
      let answer = await home.ask("POST", "cards", ["text": .string(text)])
      #expect(answer.status == status && answer.json["code"]?.text == code)
      #expect(answer.json["field"] == "text")
    }
    #expect(await home.ask("POST", "cards", [:]).status == 400)
    let text = card["text"] ?? .null
    let unmailed = await home.ask("POST", "cards", ["text": text, "email": "ben"])
    #expect(unmailed.status == 422 && unmailed.json["field"] == "email")
    // Without another one, the name is that on the card.
    let added = await home.ask("POST", "cards", ["text": text])
    #expect(added.status == 201)
    #expect(added.json["name"] == "Ben" && added.json["code"] == card["code"])
    #expect(added.json["compared"] == false)
    let again = await home.ask("POST", "cards", ["text": text, "name": "Benno"])
    #expect(again.status == 409 && again.json["code"] == "cardTaken")
    let third = try await SharingHome()
    let same = await home.ask(
      "POST", "cards", ["text": try await third.makeCard("Ben")["text"] ?? .null])
    #expect(same.status == 409 && same.json["code"] == "nameTaken")

    let code = card["code"]?.text ?? ""
    #expect(await home.ask("PUT", "cards/\(code)", [:]).status == 400)
    #expect(await home.ask("PUT", "cards/AAAA", ["compared": true]).status == 404)
    let compared = await home.ask("PUT", "cards/\(code)", ["compared": true]).json
    #expect(compared["compared"] == true)
    var listed = await home.ask("GET", "cards").json["cards"]
    #expect(listed == [compared])
    #expect(await home.ask("DELETE", "cards/\(code)").status == 204)
    #expect(await home.ask("DELETE", "cards/\(code)").status == 404)
    listed = await home.ask("GET", "cards").json["cards"]
    #expect(listed == [])
    for one in [home, other, third] { await one.home.stop() }
  }

  @Test func aPictureOfACardIsReadByTheHome() async throws {
    let (home, other) = (try await SharingHome(), try await SharingHome())
    let card = try await other.makeCard("Ben")
    func picture(_ text: String) -> JSONValue {
      ["picture": .string("data:image/png;base64," + Base64.encode(Array(text.utf8).span))]
    }
    for text in ["another code\n", "LUNACARD:1:AA\n"] {
      let refused = await home.ask("POST", "cards", picture(text))
      #expect(refused.status == 422 && refused.json["field"] == "picture")
    }
    let added = await home.ask(
      "POST", "cards", picture("another code\n\(card["text"]?.text ?? "")\n"))
    #expect(added.status == 201 && added.json["code"] == card["code"])
    for one in [home, other] { await one.home.stop() }
  }

  private func cardsOfOthers(_ home: SharingHome) async -> [JSONValue] {
    guard case .array(let cards)? = await home.ask("GET", "cards").json["cards"] else { return [] }
    return cards
  }

  @Test func thoseOfTheFileAreTaken() async throws {
    let (ben, other) = (try await SharingHome(), try await SharingHome())
    let cards = (try await ben.makeCard("Ben"), try await other.makeCard("Other"))
    let (first, second) = (cards.0["text"] ?? .null, cards.1["text"] ?? .null)
    let home = try await SharingHome(contacts: [
      ["id": "ben", "name": "My Ben", "email": "ben@example.org", "card": first],
      ["id": "double", "name": "My Ben", "card": second],
    ])
    let code = cards.0["code"]?.text ?? ""
    let taken = await cardsOfOthers(home)
    #expect(taken.map { $0["name"] } == ["My Ben"])
    #expect(taken.map { $0["code"] } == [cards.0["code"]])
    #expect(taken.map { $0["compared"] } == [false])
    // Two people cannot have one name.
    let notice = await home.home.snapshot().notices.first { $0.kind == .unusable }
    #expect(notice?.text.contains("the card of double is not taken") == true)
    // What was compared stays so when the file is read again.
    _ = await home.ask("PUT", "cards/\(code)", ["compared": true])
    try await home.home.reload()
    #expect(await cardsOfOthers(home).map { $0["compared"] } == [true])
    // It would come back.
    let refused = await home.ask("DELETE", "cards/\(code)")
    #expect(refused.status == 409 && refused.json["code"] == "inUse")
    for one in [home, ben, other] { await one.home.stop() }
  }

  @Test func thoseOfContactsOfTheAppAreTaken() async throws {
    let (home, ben) = (try await SharingHome(), try await SharingHome())
    let card = try await ben.makeCard("Ben")
    let contact: JSONValue = ["id": "ben", "name": "Ben", "card": card["text"] ?? .null]
    #expect(await home.ask("POST", "contacts", contact).status == 201)
    #expect(await cardsOfOthers(home).map { $0["code"] } == [card["code"]])
    let broken = await home.ask("POST", "contacts", ["id": "al", "card": "LUNACARD:2:AA"])
    #expect(broken.status == 422 && broken.json["code"] == "unusable")
    for one in [home, ben] { await one.home.stop() }
  }
}
