import Bluetooth
import HTTPServer
import Luna
import LunaCore
import LunaJSON
import LunaStore
import LunaTesting
import Testing

@testable import LunaHome
@testable import LunaHomeWeb

/// Trackers that owners of two homes share.
@Suite(.timeLimit(.minutes(10))) struct ShareEndpointsTests {
  /// Anna, who has a bike, and Ben: both have a card, and each other's.
  ///
  /// - Parameter clock: what Ben's home waits by.
  private func friends(
    clock: WallClock = .system
  ) async throws -> (anna: SharingHome, ben: SharingHome, code: String) {
    let (anna, ben) = (try await SharingHome(hasBike: true), try await SharingHome(clock: clock))
    let cards = (try await anna.makeCard("Anna"), try await ben.makeCard("Ben"))
    _ = await ben.add(cards.0, as: "anna")
    return (anna, ben, await anna.add(cards.1, as: "ben"))
  }

  /// Ben has Anna's bike for two days.
  ///
  /// - Returns: both, and the path of the bike in Ben's home.
  private func lent(
    _ clock: SteppedClock
  ) async throws -> (anna: SharingHome, ben: SharingHome, tracker: String) {
    let (anna, ben, code) = try await friends(clock: clock.clock)
    let made = await anna.ask(
      "POST", "shares", ["tracker": "bike", "card": .string(code), "until": later(days: 2)])
    let path = "shares/" + (made.json["id"]?.text ?? "")
    let file = await anna.ask("GET", path + "/envelope").body
    let taken = await ben.ask("POST", "shares/import", file: file)
    #expect(taken.status == 200)
    let tracker = "trackers/" + (taken.json["tracker"]?.text ?? "")
    #expect(await ben.ask("GET", tracker).status == 200)
    return (anna, ben, tracker)
  }

  private func later(days: Int64) -> JSONValue {
    let now = WallClock.system.now().unixMilliseconds
    return .string(Timestamp(unixMilliseconds: now + days * 86_400_000).rfc3339)
  }

  private func end(_ homes: SharingHome...) async {
    for one in homes { await one.home.stop() }
  }

  private func count(_ json: JSONValue, _ name: String) -> Int? {
    if case .array(let elements)? = json[name] { elements.count } else { nil }
  }

  @Test func onlyOwnersShare() async throws {
    let home = try await SharingHome()
    let paths = [
      ("GET", "shares"), ("POST", "shares"), ("GET", "shares/A"), ("GET", "shares/A/envelope"),
      ("GET", "shares/A/picture"), ("PUT", "shares/A"), ("DELETE", "shares/A"),
      ("POST", "shares/import"),
    ]
    for (method, path) in paths {
      let body: JSONValue? = ["PUT", "POST"].contains(method) ? [:] : nil
      #expect(await home.ask(method, path, body, as: nil).status == 401)
      for role in [HomeRole.guest, .member] {
        let status = method == "GET" ? 404 : 403
        #expect(await home.ask(method, path, body, as: role).status == status)
      }
    }
    await end(home)
  }

  @Test func aShareGoesFromOneHomeToTheOtherAndEnds() async throws {
    let (anna, ben, code) = try await friends()
    let made = await anna.ask(
      "POST", "shares",
      [
        "tracker": "bike", "card": .string(code), "rights": ["see", "status", "ring"],
        "ringSeconds": 7, "until": later(days: 3),
      ])
    #expect(made.status == 201)
    #expect(made.json["state"] == "live" && made.json["contact"] == "ben")
    #expect(made.json["ringSeconds"] == 7 && made.json["ringsPerPeriod"] == 4)
    let path = "shares/" + (made.json["id"]?.text ?? "")
    let listed = await anna.ask("GET", "shares").json
    #expect(listed["given"] == [made.json] && listed["received"] == [])
    #expect(count(listed, "ending") == 2)
    let file = await anna.ask("GET", path + "/envelope")
    #expect(file.status == 200 && file.body.starts(with: Array("LUNSHAR1".utf8)))

    let taken = await ben.ask("POST", "shares/import", file: file.body)
    #expect(taken.status == 200)
    #expect(taken.json["name"] == "bike of anna" && taken.json["until"] == made.json["until"])
    let id = taken.json["tracker"]?.text ?? ""
    let device = taken.json["device"]?.text ?? ""
    let tracker = await ben.ask("GET", "trackers/\(id)", as: .member).json
    #expect(tracker["sharedUntil"] == made.json["until"])
    #expect(tracker["actions"] == ["turn_on"])
    let bike = await anna.ask("GET", "trackers/bike").json
    #expect(bike["sharedUntil"] == .null)
    // What it said when it was onboarded.
    #expect(bike["properties"]?["firmware"]?["value"] == "1.2")
    try await waitUntil { await ben.home.isFollowing(device) }
    #expect(await ben.ask("GET", "shares").json["received"] == [without("tracker", taken.json)])
    // The same again is no news, and what others share is not shared on.
    #expect(await ben.ask("POST", "shares/import", file: file.body).json["code"] == "serial")
    let card = await anna.ask("GET", "card").json["code"] ?? .null
    let on = await ben.ask("POST", "shares", ["tracker": .string(id), "card": card])
    #expect(on.status == 409 && on.json["code"] == "foreignDevice")

    #expect(await anna.ask("PUT", path, [:]).status == 428)
    #expect(await anna.ask("PUT", path, [:], tag: "\"x\"").status == 412)
    let renewed = await anna.ask("PUT", path, ["until": later(days: 9)], tag: made.tag)
    #expect(renewed.status == 200 && renewed.json["serial"] == 2)
    #expect(await anna.ask("PUT", path, [:], tag: made.tag).status == 412)
    let longer = await ben.ask(
      "POST", "shares/import", file: await anna.ask("GET", path + "/envelope").body)
    #expect(longer.json["tracker"] == taken.json["tracker"])
    #expect(
      await ben.ask("GET", "trackers/\(id)").json["sharedUntil"] == renewed.json["until"])

    #expect(await anna.ask("DELETE", path).status == 428)
    let ended = await anna.ask("DELETE", path, tag: renewed.tag)
    #expect(ended.status == 200 && ended.json["state"] == "ended")
    #expect(await anna.ask("PUT", path, [:], tag: ended.tag).json["code"] == "ended")
    let last = await ben.ask(
      "POST", "shares/import", file: await anna.ask("GET", path + "/envelope").body)
    #expect(last.status == 200 && last.json["state"] == "ended" && last.json["tracker"] == .null)
    #expect(await ben.ask("GET", "trackers/\(id)").status == 404)
    try await waitUntil { await !ben.home.isFollowing(device) }
    #expect(await !ben.home.snapshot().notices.contains { $0.kind == .unusable })
    await end(anna, ben)
  }

  @Test func ofManyRenewalsOfOneVersionOneIsMade() async throws {
    let (anna, ben, code) = try await friends()
    let made = await anna.ask(
      "POST", "shares", ["tracker": "bike", "card": .string(code), "until": later(days: 3)])
    let path = "shares/" + (made.json["id"]?.text ?? "")
    let (tag, until) = (made.tag, later(days: 4))
    let statuses = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { await anna.ask("PUT", path, ["until": until], tag: tag).status }
      }
      var statuses: [Int] = []
      for await status in group { statuses.append(status) }
      return statuses.sorted()
    }
    #expect(statuses == [200] + [Int](repeating: 412, count: 7))
    #expect(await anna.ask("GET", path).json["serial"] == 2)
    await end(anna, ben)
  }

  @Test func aShortShareIsACodeForACamera() async throws {
    let (anna, ben, code) = try await friends()
    let long = await anna.ask(
      "POST", "shares", ["tracker": "bike", "card": .string(code), "until": later(days: 9)])
    #expect(long.status == 201 && long.json["picture"] == false)
    let tooLong = await anna.ask("GET", "shares/\(long.json["id"]?.text ?? "")/picture")
    #expect(tooLong.status == 422 && tooLong.json["field"] == "until")
    let made = await anna.ask(
      "POST", "shares", ["tracker": "bike", "card": .string(code), "until": later(days: 1)])
    #expect(made.status == 201 && made.json["picture"] == true)
    let path = "shares/" + (made.json["id"]?.text ?? "")
    let picture = await anna.ask("GET", path + "/picture")
    #expect(picture.status == 200, "501 where libqrencode is not installed")
    #expect(String(decoding: picture.body, as: UTF8.self).hasPrefix("<svg"))
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let empty = await ben.ask("POST", "shares/import", file: head)
    #expect(empty.status == 422 && empty.json["code"] == "length")
    let envelope = await anna.ask("GET", path + "/envelope").body
    let taken = await ben.ask("POST", "shares/import", file: head + envelope)
    #expect(taken.status == 200 && taken.json["name"] == "bike of anna")
    await end(anna, ben)
  }

  private func without(_ name: String, _ json: JSONValue) -> JSONValue {
    guard case .object(var object) = json else { return json }
    object.members.removeAll { $0.name == name }
    return .object(object)
  }

  /// The share of a home, as if it had been made so many days ago.
  private func age(_ home: LunaHome, days: Int64) async throws {
    let store = try await home.sharing().store
    var share = try #require(try await store.sentShares().first)
    share.issuedAt -= days * 86_400
    share.until -= days * 86_400
    try await store.put(share)
  }

  @Test func whatIsToLastIsMadeAnewAndMailed() async throws {
    let outbox = KeptMail()
    let anna = try await SharingHome(hasBike: true, mail: outbox)
    let ben = try await SharingHome()
    let cards = (try await anna.makeCard("Anna"), try await ben.makeCard("Ben"))
    _ = await ben.add(cards.0, as: "anna")
    let nobody = await anna.add(cards.1, as: "ben")
    var body: JSONObject = ["tracker": "bike", "card": .string(nobody), "renew": true]
    let refused = await anna.ask("POST", "shares", .object(body))
    #expect(refused.status == 422 && refused.json["field"] == "renew")
    #expect(await anna.ask("DELETE", "cards/\(nobody)").status == 204)
    let card: JSONValue = [
      "text": cards.1["text"] ?? .null, "name": "ben", "email": "ben@example.org",
    ]
    #expect(await anna.ask("POST", "cards", card).json["mail"] == "ben@example.org")
    body.append("uncompared", true)
    let made = await anna.ask("POST", "shares", .object(body))
    #expect(made.status == 201 && made.json["renew"] == true)
    try await age(anna.home, days: 19)
    await anna.home.renewShares()
    #expect(outbox.mails.isEmpty)

    try await age(anna.home, days: 1)
    await anna.home.renewShares()
    await anna.home.renewShares()
    #expect(outbox.mails.count == 1)
    let mail = try #require(outbox.mails.first)
    #expect(mail.address == "ben@example.org" && mail.fileName == "bike-ben.lunashare")
    let taken = await ben.ask("POST", "shares/import", file: mail.file)
    #expect(taken.status == 200 && taken.json["serial"] == 2)
    let path = "shares/" + (made.json["id"]?.text ?? "")
    let now = await anna.ask("GET", path)
    #expect(now.json["until"] == taken.json["until"] && now.json["serial"] == 2)

    // Not to renew it is what ends it.
    let off = await anna.ask("PUT", path, ["renew": false], tag: now.tag)
    #expect(off.status == 200 && off.json["renew"] == false && off.json["serial"] == 2)
    try await age(anna.home, days: 25)
    await anna.home.renewShares()
    #expect(outbox.mails.count == 1)
    await end(anna, ben)
  }

  @Test func whatIsEndedWhileOthersAreMadeAnewStaysSo() async throws {
    let outbox = KeptMail()
    let anna = try await SharingHome(hasBike: true, mail: outbox)
    let ben = try await SharingHome()
    _ = try await anna.makeCard("Anna")
    let given = try await ben.makeCard("Ben")
    let card: JSONValue = [
      "text": given["text"] ?? .null, "name": "ben", "email": "ben@example.org",
    ]
    let code = await anna.ask("POST", "cards", card).json["code"]?.text ?? ""
    let made = await anna.ask(
      "POST", "shares",
      ["tracker": "bike", "card": .string(code), "renew": true, "uncompared": true])
    #expect(made.status == 201)
    try await age(anna.home, days: 20)
    let sharing = try await anna.home.sharing()
    let share = try #require(try await sharing.store.sentShares().first)
    let path = "shares/" + (made.json["id"]?.text ?? "")
    #expect(await anna.ask("DELETE", path, tag: "*").status == 200)
    let reason = try await anna.home.renew(share, sharing, at: WallClock.system.now())
    #expect(reason == nil && outbox.mails.isEmpty)
    let kept = try #require(try await sharing.store.sentShares().first)
    #expect(kept.endedAt != nil && !kept.isRenewed && kept.serial == 2)
    await end(anna, ben)
  }

  @Test func whatNobodyCanMailIsSaid() async throws {
    let outbox = KeptMail()
    let anna = try await SharingHome(hasBike: true, mail: outbox)
    let ben = try await SharingHome()
    _ = try await anna.makeCard("Anna")
    let code = await anna.add(try await ben.makeCard("Ben"), as: "ben")
    _ = await anna.ask("POST", "shares", ["tracker": "bike", "card": .string(code)])
    let store = try await anna.home.sharing().store
    var share = try #require(try await store.sentShares().first)
    // As a command that knows of no home.
    share.isRenewed = true
    try await store.put(share)
    try await age(anna.home, days: 20)
    await anna.home.renewShares()
    #expect(outbox.mails.isEmpty)
    #expect(await anna.home.snapshot().notices.contains { $0.kind == .unmailed })
    #expect(try await store.sentShares().map(\.serial) == [1])
    // Nothing more is shared with who was removed.
    #expect(await anna.ask("DELETE", "cards/\(code)").status == 204)
    await anna.home.renewShares()
    #expect(await !anna.home.snapshot().notices.contains { $0.kind == .unmailed })
    await end(anna, ben)
  }

  @Test func whatIsOverIsWipedByTheHour() async throws {
    let clock = SteppedClock(at: WallClock.system.now())
    let (anna, ben, tracker) = try await lent(clock)
    let store = try await ben.home.sharing().store
    #expect(try await store.allDevices().count == 1)
    clock.pass(.seconds(86_400))
    #expect(try await store.receivedShares().count == 1)
    clock.pass(.seconds(86_400))
    try await waitUntil {
      clock.pass(.seconds(3600))
      return try await store.allDevices().isEmpty
    }
    #expect(try await store.receivedShares().isEmpty)
    #expect(await ben.ask("GET", "shares").json["received"] == [])
    // As when its owner ends it.
    try await waitUntil { await ben.ask("GET", tracker).status == 404 }
    #expect(await !ben.home.snapshot().notices.contains { $0.kind == .unusable })
    await end(anna, ben)
  }

  /// Whoever opens the store wipes the keys of shares that are over, and a command takes the end of one: the home finds
  /// no device then, and does not keep what it was in its list.
  @Test func whatOthersHaveWipedLeavesTheList() async throws {
    let clock = SteppedClock(at: WallClock.system.now())
    let (anna, ben, tracker) = try await lent(clock)
    #expect(try await ben.home.sharing().store.wipeEndedShares(at: .max) == 1)
    try await ben.home.reload()
    #expect(await ben.home.snapshot().notices.contains { $0.kind == .unusable })
    try await waitUntil {
      clock.pass(.seconds(3600))
      return await ben.ask("GET", tracker).status == 404
    }
    #expect(await !ben.home.snapshot().notices.contains { $0.kind == .unusable })
    await end(anna, ben)
  }

  /// The past is shared where somebody asks for it.
  @Test func thePastIsSharedWhereItIsAskedFor() async throws {
    let (anna, ben, code) = try await friends()
    let store = try await anna.home.sharing().store
    let bike = try #require(try await store.allDevices().first)
    let begin = bike.onboardingTimestamp.unixMilliseconds - 9 * 86_400_000
    try await store.put(
      Device(
        uuid: bike.uuid, keys: bike.keys, onboardingTimestamp: Timestamp(unixMilliseconds: begin),
        name: bike.name))
    func first(_ past: Int64?) async throws -> UInt32 {
      var body: JSONObject = ["tracker": "bike", "card": .string(code), "until": later(days: 1)]
      if let past { body.append("past", .integer(past)) }
      #expect(await anna.ask("POST", "shares", .object(body)).status == 201)
      return try #require(try await store.sentShares().last).periods.first
    }
    let (now, before) = (try await first(nil), try await first(3))
    // Three days are 253 periods and an eighth.
    #expect((252...255).contains(now - before))
    let late: JSONObject = [
      "tracker": "bike", "card": .string(code), "until": later(days: 399), "past": 2,
    ]
    #expect(await anna.ask("POST", "shares", .object(late)).json["field"] == "past")
    await end(anna, ben)
  }

  /// What an owner says of a backend is compared with one's own, and never asked.
  @Test(arguments: ["https://elsewhere.example/", ""])
  func whereReportsAreElsewhereIsSaid(backend: String) async throws {
    let (anna, ben, code) = try await friends()
    let made = await anna.ask(
      "POST", "shares", ["tracker": "bike", "card": .string(code), "until": later(days: 2)])
    #expect(made.status == 201)
    let store = try await anna.home.sharing().store
    let (share, card) = (try await store.sentShares().first, try await store.contactKey())
    let sharing = TrackerSharing(
      store: store, owner: LunaOwner(store: store), backend: backend)
    let file = try await sharing.envelope(of: #require(share), from: #require(card?.key))
    let taken = await ben.ask("POST", "shares/import", file: file)
    #expect(taken.status == 200)
    let other: JSONValue = backend.isEmpty ? .null : .string(backend)
    #expect(taken.json["otherBackend"] == other)
    #expect(await ben.ask("GET", "shares").json["received"] == [without("tracker", taken.json)])
    await end(anna, ben)
  }

  @Test func whoWasNotComparedIsAskedForTwice() async throws {
    let (anna, ben) = (try await SharingHome(hasBike: true), try await SharingHome())
    let card = try await ben.makeCard("Ben")
    let early = await anna.add(card, as: "ben", isCompared: false)
    let body: JSONObject = ["tracker": "bike", "card": .string(early)]
    #expect(await anna.ask("POST", "shares", .object(body)).json["code"] == "noCard")
    _ = try await anna.makeCard("Anna")
    let refused = await anna.ask("POST", "shares", .object(body))
    #expect(refused.status == 409 && refused.json["code"] == "notCompared")
    #expect(await anna.ask("GET", "shares").json["given"] == [])
    var anyway = body
    anyway.append("uncompared", true)
    let made = await anna.ask("POST", "shares", .object(anyway))
    #expect(made.status == 201 && made.json["rights"] == ["see"])
    await end(anna, ben)
  }

  @Test func whatCannotBeSharedIsRefused() async throws {
    let (anna, ben, code) = try await friends()
    func refusal(_ members: JSONObject) async -> String {
      var body: JSONObject = ["tracker": "bike", "card": .string(code)]
      for member in members.members {
        body.members.removeAll { $0.name == member.name }
        body.append(member.name, member.value)
      }
      let answer = await anna.ask("POST", "shares", .object(body))
      return "\(answer.status) \(answer.json["code"]?.text ?? "")"
    }
    #expect(await refusal(["tracker": "none"]) == "404 notFound")
    #expect(await refusal(["tracker": "thing"]) == "409 foreignDevice")
    #expect(await refusal(["card": "AAAA-AAAA-AAAA-AAAA"]) == "404 notFound")
    #expect(await refusal(["until": later(days: -1)]) == "422 until")
    #expect(await refusal(["until": later(days: 401)]) == "422 until")
    #expect(await refusal(["until": "tomorrow"]).hasPrefix("400 "))
    #expect(await refusal(["rights": ["all"]]).hasPrefix("400 "))
    #expect(await refusal(["rights": ["ring"], "ringsPerPeriod": 3]).hasPrefix("400 "))
    #expect(await refusal(["rights": ["ring"], "ringSeconds": 61]).hasPrefix("400 "))
    let large: JSONObject = [
      "rights": ["see", "status", "ring"], "ringsPerPeriod": 8, "until": later(days: 399),
    ]
    #expect(await refusal(large) == "422 size")
    #expect(await anna.ask("GET", "shares").json["given"] == [])
    await end(anna, ben)
  }

  @Test func envelopesAreRefusedInTheirOrder() async throws {
    let (anna, ben, code) = try await friends()
    let made = await anna.ask("POST", "shares", ["tracker": "bike", "card": .string(code)])
    let path = "shares/" + (made.json["id"]?.text ?? "")
    let file = await anna.ask("GET", path + "/envelope").body
    func refusal(_ change: (inout [UInt8]) -> Void) async -> String? {
      var changed = file
      change(&changed)
      let answer = await ben.ask("POST", "shares/import", file: changed)
      #expect(answer.status == 422)
      return answer.json["code"]?.text
    }
    #expect(await refusal { $0 = [] } == "length")
    #expect(await refusal { $0[0] ^= 1 } == "magic")
    #expect(await refusal { $0[8] ^= 1 } == "recipient")
    #expect(await refusal { $0[16] ^= 1 } == "sender")
    #expect(await refusal { $0[$0.count - 1] ^= 1 } == "open")
    let listed = await ben.ask("GET", "shares").json
    #expect(listed["received"] == [])
    // Who has no card can be sent nothing.
    let carl = try await SharingHome()
    let early = await carl.ask("POST", "shares/import", file: file)
    #expect(early.status == 409 && early.json["code"] == "noCard")
    await end(anna, ben, carl)
  }

  /// All else takes a fourth of it.
  @Test func aShareMayHaveFourMebibytes() throws {
    func limit(_ path: String) -> Int? {
      let head = HTTPHead(method: "POST", target: "/api/v1/" + path, headers: [])
      return HomeAPI.limits(for: head)?.limits.bodyBytes
    }
    #expect(limit("shares/import") == 4 << 20)
    #expect(limit("shares") == nil)
  }
}
