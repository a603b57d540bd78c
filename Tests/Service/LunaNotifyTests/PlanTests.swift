import LunaClient
import LunaHome
import LunaJSON
import LunaProtocol
import SafeText
import Testing

@testable import LunaNotify

/// What the actions of rules become.
struct PlanTests {
  /// The entries of a rule that runs.
  private func entries(
    _ action: String, hour: Int64 = 12, quiet: String = "deliver", tracker: String = "Keys"
  ) -> [OutboxEntry] {
    let configuration = Homes.configuration(
      """
      , "schedules": [ { "id": "out", "name": "Keys left home", "quiet": "\(quiet)", "level": "warn",
        "when": [ { "time": { "every": "1h" } }, { "exit": { "who": "keys", "place": "home" } } ],
        "then": [ \(action) ] } ]
      """)
    var engine = HomeEngine(configuration)
    var wall = Homes.noon + (hour - 12) * 3_600_000_000 - 60_000_000
    var found: [OutboxEntry] = []
    for (report, latitude) in ["a", "b", "c", "d"].enumerated().map({ ($1, $0 < 2 ? 52.5 : 53.0) })
    {
      let fix = Fix(latitude: latitude, longitude: 13.4, accuracy: 10, time: wall, report: report)
      let (effects, _) = engine.step(
        .fix(tracker: "keys", fix),
        at: Moment(wall: wall, boot: wall - Homes.noon + 1_000_000_000_000))
      for effect in effects {
        if case .action(let request) = effect, request.rule == "out" {
          let message = HomeMessage(
            request: request, rule: "Keys left home", tracker: tracker,
            place: request.cause.trigger == "exit" ? "Home" : nil)
          found += OutboxPlan.entries(for: message, configuration.notifications)
        }
      }
      wall += 600_000_000
    }
    return found.filter { $0.message.trigger == "exit" }
  }

  @Test func contactsAreReachedByTheirChannels() {
    let entries = entries(#"{ "notify": { "to": ["me", "hook", "nobody"], "template": "left" } }"#)
    #expect(
      entries.map { "\($0.channel) \($0.contact)" } == [
        "mail me", "push me", "text me", "hook ", " nobody",
      ])
    #expect(entries.allSatisfy { $0.message.text.hasPrefix("Keys fort aus Home um ") })
    // Only the channel that may say where it is knows.
    #expect(entries.map { $0.message.position != nil } == [false, false, false, true, false])
    #expect(
      entries.allSatisfy { $0.message.level == .warn && $0.message.link == "https://luna.example" })
  }

  @Test func withoutATemplateTheTriggerSpeaks() {
    let entries = entries(#"{ "notify": { "to": "you" } }"#)
    #expect(entries.map(\.message.text) == ["Keys left Home."])
  }

  @Test func inQuietHoursItIsDelayed() {
    let entries = entries(#"{ "notify": { "to": ["me", "you"] } }"#, hour: 23)
    let mine = entries.filter { $0.contact == "me" }
    #expect(mine.count == 3 && mine.allSatisfy { $0.isDelayed && $0.due > $0.message.at })
    #expect(entries.filter { $0.contact == "you" }.allSatisfy { !$0.isDelayed })
    #expect(entries.count == 4)
  }

  @Test func theStricterOfRuleAndContactHolds() {
    let entries = entries(#"{ "notify": { "to": ["me", "you"] } }"#, hour: 23, quiet: "drop")
    #expect(entries.map(\.contact) == ["you"])
  }

  @Test func aRequestOfARuleIsKeptAsItIs() throws {
    let entries = entries(
      #"{ "webhook": { "url": "http://h.example:81/a?b", "body": "{{tracker.name}}" } }"#)
    let entry = try #require(entries.first)
    #expect(entries.count == 1 && entry.lane == "server http://h.example:81")
    let settings = Homes.configuration().notifications
    let letter = Letter([entry.message], isDigest: false, at: entry.due, settings)
    let parcel = try Parcel.action(letter, try #require(entry.request), settings, nil)
    #expect(parcel.body.map { String(decoding: $0, as: UTF8.self) } == "Keys")
    #expect(
      parcel.headers.contains { $0.name == "Luna-Firing" && $0.value == entry.message.firing })
  }

  /// Its template puts it into the mail as what it is.
  @Test func theNameOfATrackerAddsNoHeader() throws {
    let entries = entries(
      #"{ "notify": { "to": "you", "template": "left" } }"#, tracker: "x\r\nBcc: a@b")
    let entry = try #require(entries.first)
    let settings = Homes.configuration().notifications
    let letter = Letter([entry.message], isDigest: false, at: entry.message.at, settings)
    let to = try #require(MailAddress("you@example.org"))
    let bytes = MailText.bytes(of: letter, from: to, to: to, number: 1, at: entry.message.at)
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let head = lines.prefix { !$0.isEmpty }
    #expect(head.count > 5 && !head.contains { $0.contains(text: "Bcc") })
    let body = try #require(Base64.decode(lines.drop { !$0.isEmpty }.joined()))
    let words = String(decoding: body, as: UTF8.self)
    #expect(words.hasPrefix(#"x\x0d\x0aBcc: a@b fort aus Home um "#))
  }
}
