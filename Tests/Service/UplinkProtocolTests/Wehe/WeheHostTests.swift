import LunaJSON
import Testing

@testable import UplinkProtocol

/// Who may replay at a server of ours, and what comes of it.
struct WeheHostTests {
  private let declaration: WeheDeclaration

  init() throws { declaration = try Self.declaration() }

  private static func declaration(
    isControl: Bool = false, own: String = "192.0.2.9"
  ) throws -> WeheDeclaration {
    let text = "abcdefghi1;\(isControl ? 1 : 0);Luna-11252026;x;3;False;\(own);1.0"
    return try #require(WeheDeclaration(Array(text.utf8)))
  }

  private func open(_ host: inout WeheHost, _ address: String) throws -> Int {
    let number = host.open(address: address, client: address)
    return try #require(number)
  }

  @Test func oneReplayForEachAddressAndTwoInAll() throws {
    var host = WeheHost()
    let ids = try ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"].map {
      try open(&host, $0)
    }
    func ask(_ number: Int, _ time: Double) -> WeheHost.Permission {
      host.permission(ids[number], declaration, at: time)
    }
    #expect(ask(0, 0) == .allowed)
    #expect(ask(1, 0) == .waiting)
    #expect(ask(2, 0) == .waiting)
    #expect(ask(3, 0) == .allowed)
    #expect(ask(4, 0) == .waiting && host.running == 2)
    // The first who waits is the first who may.
    host.close(ids[0])
    #expect(ask(2, 10) == .waiting)
    #expect(ask(1, 10) == .allowed)
    #expect(ask(2, 44) == .waiting)
    #expect(ask(2, 45) == .refused(2))
    // Of another address it is the server that is busy.
    #expect(ask(4, 45) == .refused(3))
    host.close(ids[3])
    #expect(ask(4, 45) == .allowed)
  }

  @Test func thereIsNoRoomForAnyNumber() throws {
    var host = WeheHost()
    let own = try (0..<4).map { _ in try open(&host, "192.0.2.77") }
    #expect(host.open(address: "192.0.2.77", client: "192.0.2.77") == nil)
    for id in own { host.close(id) }
    for number in 0..<16 { _ = try open(&host, "192.0.2.\(number)") }
    #expect(host.open(address: "192.0.2.99", client: "192.0.2.99") == nil)
  }

  /// Of two addresses the one that is only said counts where somebody has asked from there, and never for datagrams.
  @Test func anAddressThatIsOnlySaidIsNoAddress() throws {
    var host = WeheHost()
    let first = try open(&host, "192.0.2.1")
    #expect(host.permission(first, declaration, at: 200) == .allowed)
    #expect(host.session(from: "192.0.2.1", isProven: false)?.id == first)
    #expect(host.session(from: "192.0.2.9", isProven: true) == nil)
    host.close(first)
    #expect(host.session(from: "192.0.2.1", isProven: true) == nil)
    host.ask("192.0.2.9", at: 200)
    let second = try open(&host, "192.0.2.1")
    #expect(host.permission(second, declaration, at: 319) == .allowed)
    #expect(host.session(from: "192.0.2.9", isProven: true)?.id == second)
    #expect(host.session(from: "192.0.2.9", isProven: false) == nil)
    host.close(second)
    let third = try open(&host, "192.0.2.1")
    #expect(host.permission(third, declaration, at: 320) == .allowed)
    #expect(host.session(from: "192.0.2.9", isProven: true) == nil)
  }

  /// Whoever declares the address of somebody who has a side channel does not get their data, in whatever order both
  /// are kept.
  @Test func nobodyDeclaresTheDataOfOthersAway() throws {
    var host = WeheHost()
    for _ in 0..<24 {
      host.ask("192.0.2.9", at: 0)
      let ids = [try open(&host, "192.0.2.1"), try open(&host, "192.0.2.9")]
      for id in ids { #expect(host.permission(id, declaration, at: 0) == .allowed) }
      #expect(host.session(from: "192.0.2.9", isProven: true)?.id == ids[1])
      for id in ids { host.close(id) }
    }
  }

  @Test func anAddressUsesItsShareOfADay() throws {
    var host = WeheHost()
    let id = try open(&host, "192.0.2.1")
    let said1 = host.spend(1, id, at: 0)
    #expect(!said1)
    #expect(host.permission(id, declaration, at: 0) == .allowed)
    let said2 = host.spend(99_999_999, id, at: 0)
    #expect(said2)
    let said3 = host.spend(2, id, at: 1)
    #expect(!said3)
    let said4 = host.spend(1, id, at: 1)
    #expect(said4)
    host.close(id)
    let next = try open(&host, "192.0.2.1")
    #expect(host.permission(next, declaration, at: 86_399) == .refused(3))
    let other = try open(&host, "192.0.2.2")
    #expect(host.permission(other, declaration, at: 86_399) == .allowed)
    let late = try open(&host, "192.0.2.1")
    host.close(next)
    #expect(host.permission(late, declaration, at: 86_401) == .allowed)
  }

  @Test func isKeptOfSoManyClientsAndOfThoseThatUsedMost() throws {
    var host = WeheHost()
    func use(_ bytes: Int, _ client: Int) throws -> Bool {
      let id = try open(&host, "192.0.2.\(client)")
      defer { host.close(id) }
      guard host.permission(id, declaration, at: 0) == .allowed else { return false }
      return host.spend(bytes, id, at: 0)
    }
    // Who sends nothing has used nothing.
    #expect(try !use(100_000_001, 0) && host.spent.isEmpty)
    #expect(try use(100_000_000, 1))
    for client in 2...1_500 { #expect(try use(client, client)) }
    #expect(host.spent.count == 1_000)
    #expect(try !use(1, 1))
  }

  private func samples(_ rate: Double, _ count: Int) -> ReplaySamples {
    ReplaySamples(
      rates: (0..<count).map { rate + Double($0) / 1e6 }, times: (0..<count).map { Double($0) })
  }

  private func ask(_ host: WeheHost, _ command: String, at time: Double = 0) -> JSONObject {
    let fields = [
      "command": command, "userID": "abcdefghi1", "historyCount": "3", "testID": "1",
    ]
    guard case .object(let answer) = host.results.answer(fields, at: time) else {
      return JSONObject()
    }
    return answer
  }

  @Test func judgesWhatBothReplaysSent() throws {
    var host = WeheHost()
    for isControl in [true, false] {
      #expect(ask(host, "analyze")["success"] == false)
      let id = try open(&host, "192.0.2.1")
      let declaration = try Self.declaration(isControl: isControl)
      #expect(host.permission(id, declaration, at: 0) == .allowed)
      host.keep(
        id, samples(isControl ? 8 : 2, 31), own: samples(5, 31), at: 0,
        date: "2026-11-25 23:20:31")
      host.close(id)
    }
    #expect(ask(host, "analyze") == ["success": true])
    // It is there as often as somebody asks, as clients read it, and agrees with our own.
    for _ in 0..<2 {
      let response = try #require(ask(host, "singleResult")["response"])
      let result = try ServerResult(response, user: "abcdefghi1", history: 3)
      let (original, control) = (samples(2, 31).held, samples(8, 31).held)
      let judgement = try OriginalJudgement(original: original, control: control, rule: .ios)
      #expect(result.agrees(with: judgement, original: original, control: control))
      #expect(result.date == "2026-11-25 23:20:31" && result.name.text == "Luna-11252026")
    }
    #expect(ask(host, "singleResult", at: 86_400)["error"] == "No result found")
    #expect(ask(host, "defaultSetting")["ks2Ratio"] == "0.95")
    #expect(ask(host, "nonsense")["error"] == "unknown command")
    // Clients read that there is no pair.
    let none = host.results.answer(["command": "getServers"], at: 0)
    #expect(throws: LocalizationError(.noPair)) {
      try ServerPair.pairs(in: none.bytes, isOfSites: false)
    }
    #expect(
      host.results.answer(["command": "analyze", "userID": "x"], at: 0)
        == ["success": false, "missing": ["historyCount", "testID"]])
  }

  /// Running replays wait for the host's lock: an answer needs only what was taken under it, whatever happens next.
  @Test func resultsAreAnsweredWithoutTheHost() throws {
    var host = WeheHost()
    for (isControl, rate) in [(true, 8.0), (false, 2.0)] {
      let id = try open(&host, "192.0.2.1")
      let declaration = try Self.declaration(isControl: isControl)
      #expect(host.permission(id, declaration, at: 0) == .allowed)
      host.keep(id, samples(rate, 31), own: nil, at: 0, date: "2026-11-25 23:20:31")
      host.close(id)
    }
    let taken = host.results
    let id = try open(&host, "192.0.2.1")
    #expect(host.permission(id, declaration, at: 1) == .allowed)
    host.keep(id, samples(4, 31), own: nil, at: 1, date: "2026-11-25 23:20:32")
    func average(_ results: WeheResults) throws -> Double {
      let question = [
        "command": "singleResult", "userID": "abcdefghi1", "historyCount": "3", "testID": "1",
      ]
      let answer = LocalizeSession.object(results.answer(question, at: 1).bytes)
      let response = try #require(answer?["response"])
      return try ServerResult(response, user: "abcdefghi1", history: 3).originalMean
    }
    #expect(try average(taken) < 3)
    #expect(try average(host.results) > 3)
    let question = [
      "command": "getMeasurements", "userID": "abcdefghi1", "historyCount": "3", "testID": "0",
      "measurementType": "clientXputs", "kwargs": "{}",
    ]
    #expect(taken.answer(question, at: 1) != host.results.answer(question, at: 1))
  }

  /// On a link that is too fast to be measured a replay has a sample, or none that is not 0. Clients take a small p and
  /// means that differ for a difference.
  @Test func samplesWithoutATestAreNoDifference() throws {
    var host = WeheHost()
    for isControl in [true, false] {
      let id = try open(&host, "192.0.2.1")
      let declaration = try Self.declaration(isControl: isControl)
      #expect(host.permission(id, declaration, at: 0) == .allowed)
      let own = ReplaySamples(rates: [isControl ? 0 : 5_505, 9], times: [0.002, 0.003])
      host.keep(id, ReplaySamples(rates: [0], times: [0.12]), own: own, at: 0, date: "")
      host.close(id)
    }
    guard case .object(let response)? = ask(host, "singleResult")["response"] else {
      Issue.record("no response")
      return
    }
    #expect(response["area_test"] == "-1.0" && response["xput_avg_test"] == "0.0")
    #expect(response["ks2pVal"] == "1.0" && response["ks2dVal"] == "0.0")
  }

  /// The server's own are more.
  @Test func fewSamplesAreNotJudged() throws {
    var host = WeheHost()
    for isControl in [true, false] {
      let id = try open(&host, "192.0.2.1")
      let declaration = try Self.declaration(isControl: isControl)
      #expect(host.permission(id, declaration, at: 0) == .allowed)
      // One of eleven is dropped.
      host.keep(
        id, samples(isControl ? 8 : 2, isControl ? 11 : 10), own: samples(5, 31), at: 0, date: "")
      host.close(id)
    }
    guard case .object(let response)? = ask(host, "singleResult")["response"],
      case .string(let original)? = response["xput_avg_original"],
      case .string(let control)? = response["xput_avg_test"]
    else {
      Issue.record("no response")
      return
    }
    #expect(try #require(Double(original)) > 4.9)
    #expect(try #require(Double(control)) > 7.9)
  }
}
