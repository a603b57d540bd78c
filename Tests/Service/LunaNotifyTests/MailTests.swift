import Bluetooth
import LunaCore
import LunaHome
import LunaJSON
import LunaProtocol
import SafeText
import Testing

@testable import LunaNotify

/// What becomes of texts that others wrote: templates, mails, JSON, addresses.
struct MailTests {
  private let settings = Homes.configuration().notifications

  private func message(_ text: String, rule: String = "Rule") -> Message {
    Message(
      firing: "left-7", rule: "left", ruleName: rule, level: .alarm, at: Homes.noon, text: text)
  }

  private func letter(_ text: String, rule: String = "Rule", count: Int = 1) -> Letter {
    Letter(
      Array(repeating: message(text, rule: rule), count: count), isDigest: false, at: Homes.noon,
      settings)
  }

  private func mail(_ letter: Letter, to: MailAddress) throws -> [Substring] {
    let from = try #require(MailAddress("Zu Hause <home@example.org>"))
    let bytes = MailText.bytes(of: letter, from: from, to: to, number: 3, at: Homes.noon)
    #expect(bytes.allSatisfy { $0 < 0x80 })
    return String(decoding: bytes, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
  }

  @Test func aNameAddsNoHeader() throws {
    let evil = "x\r\nBcc: a@b"
    let to = try #require(MailAddress("me@example.org", name: evil))
    let lines = try mail(letter(evil, rule: evil), to: to)
    let head = lines.prefix { !$0.isEmpty }
    // Each line of the head is a header of ours, or goes on with the one before.
    let known = [
      "From: ", "To: ", "Subject: ", "Date: ", "Message-ID: ", "Luna-Firing: ", "Auto-Submitted: ",
      "MIME-Version: ", "Content-Type: ", "Content-Transfer-Encoding: ", "Importance: ",
      "X-Priority: ", " ",
    ]
    for line in head {
      #expect(known.contains { line.hasPrefix($0) }, "\(line)")
      #expect(line.utf8.count <= 78)
    }
    #expect(!head.contains { $0.contains(text: "Bcc") && !$0.contains(text: "\\x0d") })
  }

  /// Whatever stands in names and texts: the head has the headers that it should have, and no more.
  @Test func noTextMakesAHeader() throws {
    var generator = Dice(state: 13)
    let pieces = [
      "\r\n", "\n", "\r", "Bcc: a@b", "=?utf-8?Q?", "?=", "\u{2028}", "\u{0}", "ü", "🗝", " ", ",",
      "<a@b>",
      "\"", ":", "\u{85}", "\r\n\r\n", ".\r\n", "x", "\t", String(repeating: "w", count: 90),
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      let to = try #require(MailAddress("me@example.org", name: text))
      let lines = try mail(letter(text, rule: text), to: to)
      let names = lines.prefix { !$0.isEmpty }.filter { !$0.hasPrefix(" ") }.map {
        String($0.prefix { $0 != ":" })
      }
      #expect(
        names == [
          "From", "To", "Subject", "Date", "Message-ID", "Luna-Firing", "Auto-Submitted",
          "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Importance", "X-Priority",
        ], "\(text.debugDescription)")
      #expect(lines.allSatisfy { !$0.utf8.contains(0x0A) && !$0.utf8.contains(0x0D) })
    }
  }

  @Test func aMessageThatIsDamagedIsNone() throws {
    guard case .object(var kept) = message("go on").json else {
      Issue.record("a message is no object")
      return
    }
    kept.members.removeAll { ["at", "latitude", "longitude", "accuracy"].contains($0.name) }
    let cases: [(Int64, Double)] = [(.min, 1), (.max, 1), (0, 1e300), (0, 91)]
    for (at, degrees) in cases {
      var damaged = kept
      damaged.append("at", .integer(at))
      damaged.append("latitude", .real(degrees))
      damaged.append("longitude", .real(degrees))
      damaged.append("accuracy", .real(-1e300))
      let read = Message(.object(damaged))
      #expect((read == nil) == (at != 0) && read?.position == nil)
      guard let read else { continue }
      #expect(!Letter([read], isDigest: false, at: Homes.noon, settings).text.isEmpty)
    }
  }

  @Test func aFileGoesWithTheText() throws {
    let file = (0..<200).map { UInt8($0) }
    var message = message("go on")
    message.level = .info
    message.enclosure = Message.Enclosure(
      person: "Ben", address: "ben@example.org", name: "bike-ben.lunashare",
      content: Base64.encode(file.span))
    // As it is kept until it goes.
    let kept = try #require(Message(message.json))
    #expect(kept == message)
    let letter = Letter([kept], isDigest: false, at: Homes.noon, settings)
    let to = try #require(MailAddress("ben@example.org", name: "Ben"))
    let lines = try mail(letter, to: to)
    #expect(lines.allSatisfy { $0.utf8.count <= 78 })
    let parts = lines.split(separator: "--=_luna").map(Array.init)
    #expect(parts.count == 3)
    #expect(parts[0].contains("Content-Type: multipart/mixed;"))
    #expect(parts[1].contains("Content-Type: text/plain; charset=utf-8"))
    #expect(parts[2].contains(" filename=\"bike-ben.lunashare\""))
    let body = parts[2].drop { !$0.isEmpty }.filter { !$0.hasPrefix("--") }
    #expect(Base64.decode(body.joined()) == file)
    #expect(lines.suffix(2) == ["--=_luna--", ""])
  }

  /// What is for its reader alone ends the text, and is no file.
  @Test func aSecretEndsTheText() throws {
    let mail = HomeMail(
      id: "account-1", time: Homes.noon, person: "ada", address: "ada@example.org",
      subject: "Another password", text: "Open this:", fileName: "",
      file: Array("https://home.example/reset#0a".utf8))
    let entry = OutboxPlan.entry(for: mail, settings.channels.first { $0.kind == .email })
    #expect(!entry.message.text.contains("#"))
    let letter = Letter([entry.message], isDigest: false, at: Homes.noon, settings)
    let to = try #require(MailAddress("ada@example.org", name: "ada"))
    let body = Base64.decode(try self.mail(letter, to: to).drop { !$0.isEmpty }.joined())
    let text = String(decoding: try #require(body), as: UTF8.self)
    #expect(text.hasPrefix("Open this:"))
    #expect(text.hasSuffix("\r\n\r\nhttps://home.example/reset#0a\r\n"))
  }

  @Test func theOutboxMailsOverTheFirstChannelThatCan() {
    let mail = HomeMail(
      id: "share-1-2", time: Homes.noon, person: "Ben", address: "ben@example.org",
      subject: "bike for longer", text: "Take it.", fileName: "bike-ben.lunashare", file: [1, 2, 3])
    let entry = OutboxPlan.entry(for: mail, settings.channels.first { $0.kind == .email })
    #expect(entry.channel == "mail" && entry.isAlone && entry.message.firing == "share-1-2")
    #expect(entry.message.enclosure?.content == "AQID")
    #expect(HomeMail.fileName("Zoë's / bike\r\n") == "Zo--s---bike--")
    // None is taken for an option.
    #expect(HomeMail.fileName("🚲 bike-ben") == "bike-ben")
    #expect(HomeMail.fileName("🚲") == "share")
  }

  /// Numbers that are the same each time.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  @Test func longNamesStayWholeInWords() {
    let name = String(repeating: "Schlüssel 🗝 ", count: 20)
    let text = MailText.text(name)
    for line in text.split(separator: "\r\n") {
      #expect(line.utf8.count <= 76)
      #expect(line.hasSuffix("?="))
    }
    #expect(MailText.text("Keys left") == "Keys left")
    // What looks like a word of RFC 2047 is no word.
    #expect(MailText.text("=?utf-8?Q?x?=").hasPrefix("=?utf-8?B?"))
  }

  @Test(arguments: [
    ("me@example.org", "", "me@example.org"), ("Me <me@example.org>", "Me", "me@example.org"),
    ("\"A, B\" <a@b>", "A, B", "a@b"),
  ])
  func addresses(_ text: String, _ name: String, _ address: String) throws {
    let read = try #require(MailAddress(text))
    #expect(read.name == name && read.address == address)
  }

  @Test(arguments: [
    "", "me", "@b", "a@", "a b@c", "a@b\r\nRCPT TO:<x@y>", "a@b>", "<a@b", "a@b, c@d", "ä@b",
    "a@b c",
    "x <a@b> <c@d>,", "a@b\0",
  ])
  func noAddresses(_ text: String) { #expect(MailAddress(text) == nil) }

  @Test func dates() {
    #expect(MailText.date(0) == "Thu, 01 Jan 1970 00:00:00 +0000")
    #expect(MailText.date(1_798_761_599_000_000) == "Thu, 31 Dec 2026 23:59:59 +0000")
  }

  @Test func templatesEncodeForTheirPlace() {
    let template = MessageTemplate(#"{"a": "{{ tracker.name }}", "b": "{{nothing}}", "c": {{"#)
    #expect(template.names == ["tracker.name", "nothing"])
    let value: (String) -> String? = { $0 == "tracker.name" ? "x\"\r\n&ü" : nil }
    #expect(
      template.filled(for: .json, value) == #"{"a": "x\"\r\n&ü", "b": "", "c": {{"#)
    let simple = MessageTemplate("{{tracker.name}}")
    #expect(simple.filled(for: .url, value) == "x%22%0D%0A%26%C3%BC")
    #expect(simple.filled(for: .text, value) == #"x"\x0d\x0a&ü"#)
  }

  @Test func severalBecomeOne() {
    let letter = letter("left", count: 60)
    #expect(letter.title == "Zuhause: Rule (60)")
    let lines = letter.text.split(separator: "\n")
    #expect(lines.count == 51 && lines.last == "and 10 more")
    #expect(lines.first == "12:00 left")
  }

  @Test func aLateOneSaysSo() {
    let late = Letter([message("left")], isDigest: false, at: Homes.noon + 301_000_000, settings)
    #expect(late.isLate && late.text.hasPrefix("Late, this was at "))
    #expect(late.text.hasSuffix(" 12:00: left"))
    #expect(!letter("left").isLate)
  }

  @Test func coordinatesNeedDetails() throws {
    var message = message("left")
    message.position = .init(latitude: -0.000_01, longitude: 13.377_7, accuracy: 12.4)
    let letter = Letter([message], isDigest: false, at: Homes.noon, settings)
    #expect(letter.text == "left (-0.00001, 13.37770, ±12 m)")
    #expect(Message(message.json) == message)
  }
}
