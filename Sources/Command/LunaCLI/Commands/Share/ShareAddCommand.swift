import Bluetooth
import CommandSpec
import Luna
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol
import LunaShare
import LunaStore

/// `luna share add`: shares a tracker with a contact.
struct ShareAddCommand: Sendable {
  var tracker = ""
  var name: String?
  var with: String?
  var days: Int64 = 30
  var until: GivenTime?
  var past: Int64 = 0
  var rights = "see"
  var givesStatus = false
  var givesRing = false
  var ringSeconds: Int64 = 12
  var rings: Int64 = 4
  var backend = ""
  var isRenewed = false
  var file: String?
  var overwrites = false
  var isConfirmed = false
  var output = OutputOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "add", "Share a tracker with a contact.",
    discussion: ShareCommand.warning + [
      "With see, the contact's programs recognise it nearby and read where it was reported; they "
        + "could also imitate it and file false reports. With status they read its battery and "
        + "state, and could forge them. With ring they make it sound; while somebody does, your "
        + "own commands may have to wait."
    ],
    initial: ShareAddCommand(),
    arguments: [
      .required("TRACKER", "The device's uuid, the start of it, or its name", \.tracker, .text),
      .optional("CONTACT", "With whom", \.name, ContactCommand.nameReader),
    ],
    groups: [
      OptionGroup(
        "What is shared",
        [
          .value(
            "with", "CONTACT", "With whom, where no argument says it", \.with,
            ContactCommand.nameReader.map { $0 }),
          .value("days", "N", "For how many days", \.days, .integer(1...400)).defaulting(to: "30"),
          .value("until", "TIME", "Until then: 2026-12-24 18:00, 18:00 (today)", \.until, .time),
          .value("past", "N", "Also the last N days", \.past, .integer(0...399))
            .defaulting(to: "0"),
          .value(
            "rights", "LIST", "see; also status, ring, with commas between", \.rights,
            rightsReader
          ).defaulting(to: "see"),
          .flag("status", "They also read its battery and state", \.givesStatus),
          .flag("ring", "They also make it sound", \.givesRing),
          .value("ring-seconds", "N", "How long it rings", \.ringSeconds, .integer(1...60))
            .defaulting(to: "12"),
          .value(
            "rings", "K", "How often in each 17 minutes: 1, 2, 4 or 8", \.rings, ringsReader
          ).defaulting(to: "4"),
          .value("backend", "URL", "Where you ask for reports of it", \.backend, .text)
            .fromEnvironment("LUNA_BACKEND"),
          .flag("renew", "A home that runs makes it anew every 20 days, and mails it", \.isRenewed),
        ], exclusive: [["days", "until"]]),
      OptionGroup(
        "Options",
        ShareCommand.fileOptions(\.file, \.overwrites) + [
          .flag("yes", short: "y", "Do not ask", \.isConfirmed)
        ]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna share add bike --with ben", "Ben sees it for 30 days"),
      Example("luna share add bike --with ben --status --ring --days 3", "Ben may also ring it"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      guard (options.name == nil) != (options.with == nil) else {
        throw ValueProblem(
          options.name == nil ? "CONTACT is missing" : "CONTACT and --with both name somebody",
          remedy: "say once with whom it is shared")
      }
      guard options.until != nil || options.days + options.past <= 400 else {
        throw ValueProblem("--days and --past are more than 400 days together")
      }
    })

  private static var rightsReader: ValueReader<String> {
    ValueReader(expects: "see, status and ring, with commas between") {
      text throws(ValueProblem) in
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard ["see", "status", "ring"].contains(word) else {
          throw ValueProblem("has a right that is not known")
        }
      }
      return text
    }
  }

  private static var ringsReader: ValueReader<Int64> {
    .choice(RingRight.choices.map { (Choice("\($0)"), Int64($0)) })
  }

  private var shareRights: ShareRights {
    let words = rights.split(separator: ",")
    return ShareRights(
      status: givesStatus || words.contains("status"),
      ring: givesRing || words.contains("ring")
        ? RingRight(seconds: Int(ringSeconds), perPeriod: Int(rings)) : nil)
  }

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      let device = try await session.owner.device(matching: tracker)
      guard device.masterKey != nil else { throw CommandFailure(ShareError.foreign(device.name)) }
      let name = name ?? with ?? ""
      let contact = try await session.contact(name)
      _ = try await session.ownKey()
      let now = Timestamp.now
      let day: Int64 = 86_400_000
      let until = try end(after: now.unixMilliseconds / 1000)
      try await ask(session, contact, device, until)
      let sharing = session.sharing(backend: backend)
      var row = try await sharing.share(
        device, with: contact, shareRights,
        from: Timestamp(unixMilliseconds: now.unixMilliseconds - past * day), until: until, at: now)
      row.isRenewed = isRenewed
      let file = file ?? ShareCommand.file(device.name, name)
      try await session.write(row, sharing, to: file, replacing: overwrites)
      try await session.show(row, zone.times, file: file)
      session.diagnostics.note("luna: \(file) is for \(name) alone; send it")
      return .done
    }
  }

  /// When the share ends, Unix s.
  private func end(after now: Int64) throws -> Int64 {
    guard let given = try zone.moment(until) else { return now + days * 86_400 }
    let end = given.unixMilliseconds / 1000
    guard end > now, end - now <= TrackerSharing.longest - past * 86_400 else {
      throw CommandFailure(
        .usage, "--until is \(end > now ? "too far away" : "over")",
        hint: "a share has 400 days at most, those before now included")
    }
    return end
  }

  /// Says what cannot be taken back; of a contact whose code was not compared it asks twice.
  private func ask(
    _ session: OwnerSession, _ contact: ContactRow, _ device: Device, _ until: Int64
  ) async throws {
    let command = "luna share add"
    let code = try ContactKey(contact.key)?.code() ?? "-"
    for line in ShareCommand.warning { session.diagnostics.note("luna: \(line)") }
    if !contact.isVerified {
      session.diagnostics.note(
        "luna: the code of \(contact.name), \(code), was not compared: the card may be another's")
    }
    guard !isConfirmed else { return }
    let end = zone.clock.dateAndTime(Timestamp(unixMilliseconds: until * 1000))
    try await Confirmation.ask(
      "Share \(device.name) with \(contact.name) until \(end) (\(zone.clock.zoneName))?",
      for: command)
    guard !contact.isVerified else { return }
    try await Confirmation.ask(
      "Nobody has compared the code \(code). Share it all the same?", for: command)
  }
}
