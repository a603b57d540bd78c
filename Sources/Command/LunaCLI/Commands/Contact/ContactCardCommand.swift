import CommandSpec
import Glibc
import Luna
import LunaDocuments
import LunaShare
import LunaStore
import QRCodes

/// `luna contact card`: one's own card.
struct ContactCardCommand: Sendable {
  var isNew = false
  var name: String?
  var showsCode = false
  var file: String?
  var overwrites = false
  var isConfirmed = false
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "card", "Show your own contact card; make one where there is none.",
    discussion: [
      "The private key of the card is kept with the devices, and sealed as they are. A new card "
        + "replaces it: contacts have to get it and to compare again, and nothing that was sealed "
        + "for the old one can be opened."
    ],
    initial: ContactCardCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("new", "Make another key", \.isNew),
          .value(
            "name", "NAME", "What you call yourself on a card that is made", \.name,
            ContactCommand.nameReader.map { $0 }
          ).defaulting(to: "your account on this machine"),
          .flag("qr", "Draw the QR code", \.showsCode),
          .value("output", short: "o", "FILE", "Write a picture: .svg or .png", \.file, .file),
          .flag("force", "Overwrite an existing file", \.overwrites),
          .flag("yes", short: "y", "Do not ask", \.isConfirmed),
        ]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna contact card", "The text and the code of your card"),
      Example("luna contact card -o card.png", "A picture to send"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in try LabelFile.check(options.file) })

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      let card = try await card(session)
      if let file {
        let bytes = try CodePicture.bytes(
          of: QRCode(card.text, level: .medium), for: file, title: "Contact card",
          lines: [card.name])
        try OutputFile.write(bytes, to: file, replacing: overwrites)
      }
      let code = try card.key.code()
      guard session.isJSON else {
        if showsCode { for line in QRText.lines(card.text) { session.output.append(line: line) } }
        session.output.append(line: card.text)
        session.output.append(line: "\(card.name)  \(code)")
        return .done
      }
      session.output.appendLine("card") { writer in
        writer.string("name", card.name)
        writer.string("code", code)
        writer.string("text", card.text)
      }
      return .done
    }
  }

  private func card(_ session: OwnerSession) async throws -> ContactCard {
    let sharing = session.sharing()
    let present = try await sharing.card()
    if let present, !isNew, name == nil { return present }
    if isNew, present != nil, !isConfirmed {
      try await Confirmation.ask(
        "Replace your card? Everybody has to get the new one.", for: "luna contact card --new")
    }
    let chosen = name ?? present?.name ?? LoginName.current
    guard let card = try await sharing.makeCard(name: chosen, withNewKey: isNew) else {
      throw CommandFailure(.usage, "\(chosen) cannot stand on a card", hint: "give --name NAME")
    }
    return card
  }
}
