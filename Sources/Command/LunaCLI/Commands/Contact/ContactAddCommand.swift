import Bluetooth
import CommandSpec
import Luna
import LunaCore
import LunaDocuments
import LunaShare
import LunaStore

/// `luna contact add`: takes somebody's card.
struct ContactAddCommand: Sendable {
  var name = ""
  var email = ""
  var card = "-"
  var output = OutputOptions()
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "add", "Add a contact by their card.",
    discussion: [
      "The card is given as its text, or as a file with the text or a picture of the QR code. "
        + "Compare the code then (luna contact verify)."
    ],
    initial: ContactAddCommand(),
    arguments: [
      .required("NAME", "What you call the person", \.name, ContactCommand.nameReader)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("email", "ADDRESS", "Where shares are mailed to", \.email, .text),
          .value(
            "card", "FILE|TEXT", "The card; - is standard input", \.card, .text
          ).defaulting(to: "-"),
        ]),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna contact add ben --card ben.png", "A picture of Ben's card")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      let card = try await read()
      if let conflict = try await session.sharing().conflict(of: card, named: name) {
        throw failure(conflict)
      }
      let row = ContactRow(
        name: name, email: email, key: card.key.bytes, isVerified: false,
        addedAt: Timestamp.now.unixMilliseconds / 1000)
      guard try await session.store.add(row) else {
        // Another program was faster.
        throw failure(try await session.sharing().conflict(of: card, named: name) ?? .name)
      }
      try session.show(row)
      session.diagnostics.note(
        "luna: compare the code with \(name), and say so with luna contact verify")
      return .done
    }
  }

  private func failure(_ conflict: TrackerSharing.Conflict) -> CommandFailure {
    let hint = "luna contact remove removes a contact"
    return switch conflict {
    case .ownCard:
      CommandFailure(.usage, "this is your own card", hint: "take that of \(name)")
    case .name: CommandFailure(.usage, "there is a contact \(name)", hint: hint)
    case .card(let other): CommandFailure(.usage, "\(other) has this card", hint: hint)
    }
  }

  private func read() async throws -> ContactCard {
    do {
      // Who pastes it may have a blank before it.
      let text = card.drop { $0 == " " || $0 == "\n" || $0 == "\t" }
      if text.hasPrefix(ContactCard.prefix) { return try ContactCard(text: text) }
      let bytes = try await InputFile.read(card)
      // A picture begins with a byte that is no text.
      if let first = bytes.first, first >= 0x80 {
        let texts = try await PictureReader.texts(of: bytes)
        return try ContactCard(text: String(decoding: texts, as: UTF8.self))
      }
      if bytes.first == 1 { return try ContactCard(bytes: bytes) }
      return try ContactCard(text: String(decoding: bytes.prefix(2048), as: UTF8.self))
    } catch let rejection as CardRejection {
      throw CommandFailure(.unreadableInput, rejection)
    }
  }
}

extension OwnerSession {
  /// Prints a contact.
  func show(_ contact: ContactRow) throws {
    let code = try ContactKey(contact.key)?.code() ?? "-"
    guard isJSON else {
      let word = contact.isVerified ? "verified" : "not compared"
      return output.append(line: "\(contact.name)  \(code)  \(word)  \(contact.email)")
    }
    output.appendLine("contact") { writer in
      writer.string("name", contact.name)
      writer.string("code", code)
      writer.boolean("verified", contact.isVerified)
      if !contact.email.isEmpty { writer.string("email", contact.email) }
      writer.string("addedAt", Timestamp(unixMilliseconds: contact.addedAt * 1000).rfc3339)
    }
  }
}
