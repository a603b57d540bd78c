import Bluetooth
import CommandSpec
import Luna
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol
import LunaShare
import LunaStore
import QRCodes

/// `luna share import` and `inspect`: what somebody else shares or ends.
struct ShareImportCommand: Sendable {
  var file = ""
  var isOnlyLooking = false
  var backend = ""
  var output = OutputOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = make(
    "import", "Take what a contact shares, or ends.",
    [
      "The tracker is a device from then on, until the share ends: luna local recognises it, luna "
        + "owner events reads its reports, luna owner buzz rings it where that is shared. It cannot "
        + "be exported or shared on."
    ], isOnlyLooking: false)

  static let inspection = make(
    "inspect", "Show what is in a share, and take nothing.", [], isOnlyLooking: true)

  private static func make(
    _ word: String, _ summary: String, _ discussion: [String], isOnlyLooking: Bool
  ) -> Command<ShareImportCommand> {
    var initial = ShareImportCommand()
    initial.isOnlyLooking = isOnlyLooking
    return Command(
      word, summary, discussion: discussion, initial: initial,
      arguments: [
        .required(
          "FILE", "The share, or a picture of its QR code; - is standard input", \.file, .file)
      ],
      groups: [
        OptionGroup(
          "Options",
          [
            .value(
              "backend", "URL", "Where you ask for reports: compared with where its owner does",
              \.backend, .text
            ).fromEnvironment("LUNA_BACKEND")
          ]),
        OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
        StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
        GeneralOptions.group.scoped(to: \.general),
      ],
      examples: [Example("luna share \(word) bike-ben.lunashare", summary)],
      exitStatuses: ExitCode.statuses)
  }

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      let own = try await session.ownKey()
      let sharing = session.sharing(backend: backend)
      var envelope = try await InputFile.read(file)
      if PictureForm(envelope) != nil { envelope = try await PictureReader.bytes(of: envelope) }
      let opened = try await sharing.open(envelope, as: own, isOnlyLooking: isOnlyLooking)
      if isOnlyLooking {
        tell(session, sharing, opened)
        return look(session, opened)
      }
      let (row, device) = try await sharing.take(opened, at: .now)
      try await session.show(row, zone.times)
      session.diagnostics.note(
        device.map { "luna: \($0.name) is followed now" }
          ?? "luna: \(opened.contact) has ended this share")
      tell(session, sharing, opened)
      return .done
    }
  }

  /// Says where its reports are, when they are elsewhere.
  private func tell(_ session: OwnerSession, _ sharing: TrackerSharing, _ opened: OpenedShare) {
    guard let other = sharing.otherBackend(than: opened.message.grant?.backend ?? "") else {
      return
    }
    let own = backend.isEmpty ? "no backend is named here" : "you ask \(backend)"
    session.diagnostics.note("luna: \(opened.contact) has its reports at \(other), and \(own)")
  }

  private func look(_ session: OwnerSession, _ opened: OpenedShare) -> ExitCode {
    let (message, former) = (opened.message, opened.former)
    let periods = message.grant?.periods
    ShareLine(
      share: message.share, isSent: false, tracker: message.grant?.name ?? "-",
      contact: opened.contact, rights: periods?.rights ?? ShareRights(),
      periods: periods?.periods ?? former?.periods
        ?? PeriodRange(first: 1, last: 0), serial: message.serial, issuedAt: message.issuedAt,
      until: periods?.until ?? former?.until ?? 0, state: message.grant == nil ? "ended" : "live",
      isRenewed: false, file: file
    ).append(to: session.output, isJSON: session.isJSON, zone.times)
    return .done
  }
}
