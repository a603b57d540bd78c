import LunaJSON
import Testing

@testable import UplinkProtocol

/// Where servers of ours say that a difference is made, from the question of a client to what it makes of the answer.
struct WeheLocalizationTests {
  private static let user = "abcdefghi1"
  private static let servers = ServerPair("192.0.2.1", "192.0.2.2")
  /// What replays usually differ by, percent.
  private static let variations = (1...40).map { Double($0) / 4 }

  /// The form of a client that made the third test alone, and the fourth and fifth at once.
  private static func form(alone: String = "192.0.2.1") throws -> [String: String] {
    let plan = LocalizePlan(
      user: user, single: (alone, 3), history: 5, port: 443, replay: "Luna-11252026")
    return fields(try plan.form(servers))
  }

  /// The members of a form or a query, as a server reads them.
  private static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for part in text.split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(sides[1].utf8)[...])
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          bytes.append(byte)
          continue
        }
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      }
      fields[String(sides[0])] = String(decoding: bytes, as: UTF8.self)
    }
    return fields
  }

  /// A server with originals that were so fast, Mbit/s, and lost so much, by history counts.
  private func server(
    _ originals: [Int: (rate: Double, loss: ReplayLoss)], pairs: [ServerPair] = []
  ) throws -> WeheHost {
    var host = WeheHost(pairs: pairs)
    for (history, original) in originals {
      let number = host.open(address: "192.0.2.9", client: "192.0.2.9")
      let id = try #require(number)
      let text = "\(Self.user);0;Luna-11252026;x;\(history);False;192.0.2.9;1.0"
      let declaration = try #require(WeheDeclaration(Array(text.utf8)))
      #expect(host.permission(id, declaration, at: 0) == .allowed)
      var generator = SplitMix64(seed: UInt64(history))
      let rates = (0..<101).map { _ in
        original.rate * Double.random(in: 0.95...1.05, using: &generator)
      }
      let samples = ReplaySamples(rates: rates, times: (0..<101).map { Double($0) })
      host.keep(id, samples, own: nil, loss: original.loss, at: 0, date: "")
      host.close(id)
    }
    return host
  }

  /// What a client makes of what two servers say, of which the first is asked.
  private func place(
    _ first: WeheHost, _ second: WeheHost, variations: [Double] = WeheLocalizationTests.variations
  ) async throws -> LocalizeAnswer {
    var first = first
    let time = 10.0
    let asked = first.locate(try Self.form(), at: time)
    let question = try #require(asked.question)
    let (near, far) = (first, second)
    let localization = WeheLocalization(question, variations: variations) { replay, measurement in
      if let own = near.results.result(measurement, of: replay, by: question.user, at: time) {
        return own
      }
      #expect(replay.server == Self.servers.second)
      let query = measurement.query(of: replay, by: question.user)
      return WeheMeasurement.result(in: far.results.answer(Self.fields(query), at: time).bytes)
    }
    first.keep(await localization.response(), of: question, at: time)
    let plan = LocalizePlan(
      user: Self.user, single: ("192.0.2.1", 3), history: 5, port: 443, replay: "Luna-11252026")
    let answer = try #require(
      LocalizeSession.object(first.results.answer(Self.fields(plan.query), at: time).bytes))
    #expect(answer["success"] == .bool(true))
    return LocalizeAnswer(try #require(answer["response"]), LocalizeLevels())
  }

  /// Losses of a replay of 15 s with bursts at times that a seed gives.
  private func loss(seed: UInt64) -> ReplayLoss {
    var generator = SplitMix64(seed: seed)
    return LossTableTests.loss(
      (0..<3_000).map { _ in
        (packets: 20, lost: Int.random(in: 0..<40, using: &generator) == 0 ? 10 : 0)
      })
  }

  @Test func oneLimitForBothIsCommon() async throws {
    let first = try server([3: (4, loss(seed: 1)), 4: (2, loss(seed: 2))])
    let second = try server([5: (2, loss(seed: 3))])
    let answer = try await place(first, second)
    #expect(answer.location == .common && (answer.variationP ?? 1) < 0.05)
    #expect(answer.lossPs.count > 10)
    #expect(answer.lossPs.count(where: { $0 < 0.05 }) * 2 < answer.lossPs.count)
  }

  @Test func lossesThatComeTogetherAreCommon() async throws {
    let first = try server([3: (4, loss(seed: 1)), 4: (4, loss(seed: 2))])
    let second = try server([5: (4, loss(seed: 2))])
    let answer = try await place(first, second)
    #expect(answer.location == .common && (answer.variationP ?? 0) > 0.05)
    #expect(answer.lossPs.allSatisfy { $0 < 0.05 })
  }

  @Test func twoLimitsAreNoEvidence() async throws {
    let first = try server([3: (4, loss(seed: 1)), 4: (4, loss(seed: 2))])
    let second = try server([5: (4, loss(seed: 3))])
    #expect(try await place(first, second).location == .noEvidence)
  }

  /// Over UDP nothing is known of losses, and without what is usual nothing of speeds.
  @Test func whatIsNotKnownIsNotSaid() async throws {
    let none = ReplayLoss()
    let first = try server([3: (4, none), 4: (2, none)])
    let second = try server([5: (2, none)])
    let usual = try await place(first, second)
    #expect(usual.location == .common && usual.lossPs.isEmpty)
    let answer = try await place(first, second, variations: [])
    #expect(answer.location == .inconclusive && answer.variationP == nil)
    // The other server knows of no such test.
    let alone = try await place(first, try server([6: (2, none)]))
    #expect(alone.location == .inconclusive)
  }

  @Test func lengthsAreThoseThatCanBeMeasured() {
    let lengths = WeheLocalization.lengths(roundTrip: 0.02, duration: 15)
    #expect(lengths.first == 0.2 && lengths.last == 0.5 && lengths.count == 16)
    // Below two ticks there is none, and none twice.
    let short = WeheLocalization.lengths(roundTrip: 0.0003, duration: 1)
    #expect(short == [0.01, 0.011, 0.012, 0.013, 0.014, 0.015])
    #expect(WeheLocalization.lengths(roundTrip: 0.02, duration: 1).isEmpty)
    // However many intervals there would be, a server's answer has an end.
    let many = WeheLocalization.lengths(roundTrip: 0.002, duration: 45)
    #expect(!many.isEmpty && many.reduce(0) { $0 + 45 / $1 } <= 4_000)
  }

  @Test func clientsAreToldOfPairs() throws {
    let host = try server([:], pairs: [Self.servers])
    let answer = host.results.answer(["command": "getServers"], at: 0).bytes
    #expect(try ServerPair.pairs(in: answer, isOfSites: false) == [Self.servers])
    #expect(ServerPair("192.0.2.1,192.0.2.2") == Self.servers)
    for text in ["", "a", "a,a", "a,b,c", "a;b,c", "a,", ",b"] { #expect(ServerPair(text) == nil) }
  }

  /// Whoever has made nothing here has nobody asked, and not more than two at once have.
  @Test func notEverybodyIsAnswered() throws {
    var form = try Self.form()
    var empty = try server([:])
    #expect(empty.locate(form, at: 0).question == nil)
    var host = try server([3: (4, ReplayLoss())])
    #expect(host.locate(form, at: 86_400).question == nil)
    #expect(host.locate(form, at: 0).question != nil)
    let question = host.locate(form, at: 0).question
    #expect(host.locate(form, at: 0).refusal == ["success": false, "error": "busy"])
    host.keep(.null, of: try #require(question), at: 0)
    #expect(host.locate(form, at: 0).question != nil)
    form["userID"] = "another123"
    let stranger = host.locate(form, at: 0)
    #expect(stranger.question == nil)
    #expect(stranger.refusal == ["success": false, "error": "No result found"])
  }

  @Test func questionsThatAreNoneAreRefused() throws {
    var host = try server([3: (4, ReplayLoss())])
    var form = try Self.form()
    form["kwargs"] = nil
    form["server2Info"] = nil
    #expect(
      host.locate(form, at: 0).refusal
        == ["success": false, "missing": ["server2Info", "kwargs"]])
    for (name, text) in [
      ("server1Info", "[]"), ("server1Info", #"{"server":"a","historyCount":"4"}"#),
      ("server2Info", #"{"server":"../a","historyCount":"4","replayPort":"00443"}"#),
      ("server2Info", #"{"server":"a","historyCount":"-4","replayPort":"00443"}"#),
      ("singleServerInfo", String(repeating: "[", count: 10_000)), ("userID", "a;b"),
    ] {
      var form = try Self.form()
      form[name] = text
      #expect(host.locate(form, at: 0).refusal == ["success": false, "error": "malformed"])
    }
  }

  @Test func measurementsAreOfOriginals() throws {
    let host = try server([3: (4, loss(seed: 1))])
    func ask(_ changes: [String: String?]) -> JSONObject? {
      var fields: [String: String?] = [
        "command": "getMeasurements", "userID": Self.user, "historyCount": "3", "testID": "0",
        "measurementType": "clientXputs", "kwargs": "{}",
      ]
      for (name, value) in changes { fields[name] = value }
      return LocalizeSession.object(
        host.results.answer(fields.compactMapValues { $0 }, at: 0).bytes)
    }
    guard case .object(let measurements)? = ask([:])?["measurements"] else {
      Issue.record("no measurements")
      return
    }
    #expect(measurements["type"] == .string("clientXputs"))
    let samples = try ReplaySamples(json: try #require(measurements["result"]), name: "samples")
    // The last one is dropped, as everywhere.
    #expect(samples.rates.count == 100 && samples.times.last == 99)
    let nothing = JSONValue.string("No result found")
    for change in [["testID": "1"], ["historyCount": "4"], ["userID": "another123"]] {
      #expect(ask(change)?["error"] == nothing)
    }
    let lengths = String(repeating: "1,", count: 64) + "1"
    for change in [
      ["measurementType": "lossEvents"], ["kwargs": "x"], ["measurementType": "lossRatios"],
      ["measurementType": "lossRatios", "kwargs": #"{"intervalSizes":[0]}"#],
      ["measurementType": "lossRatios", "kwargs": #"{"intervalSizes":[1e300]}"#],
      ["measurementType": "lossRatios", "kwargs": #"{"intervalSizes":[\#(lengths)]}"#],
    ] {
      #expect(ask(change)?["error"] == .string("malformed"))
    }
    #expect(ask(["kwargs": nil])?["missing"] == ["kwargs"])
  }

  /// What is known tick by tick is much: of the last ones alone.
  @Test func onlyTheLastOriginalsAreMeasured() throws {
    var originals: [Int: (rate: Double, loss: ReplayLoss)] = [:]
    for history in 1...32 { originals[history] = (4, ReplayLoss()) }
    var host = try server(originals)
    #expect(host.results.measured.count == 32)
    let number = host.open(address: "192.0.2.9", client: "192.0.2.9")
    let id = try #require(number)
    let text = "\(Self.user);0;Luna-11252026;x;33;False;192.0.2.9;1.0"
    let declaration = try #require(WeheDeclaration(Array(text.utf8)))
    #expect(host.permission(id, declaration, at: 5) == .allowed)
    let samples = ReplaySamples(rates: [1, 1], times: [1, 2])
    host.keep(id, samples, own: nil, at: 5, date: "")
    #expect(
      host.results.measured.count == 32 && host.results.measured.last?.key == "\(Self.user);33")
  }
}
