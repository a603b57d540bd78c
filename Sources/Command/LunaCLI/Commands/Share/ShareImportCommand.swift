import Bluetooth
import CommandSpec
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaOwner
import LunaProtocol
import LunaShare
import LunaStore
import TerminalTable

/// `luna share import` and `inspect`: what somebody else shares or ends.
struct ShareImportCommand: Sendable {
  var file = ""
  var isOnlyLooking = false
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
      arguments: [.required("FILE", "The share; - is standard input", \.file, .file)],
      groups: [
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
      let contacts = try await session.store.contacts()
      let known = try await session.store.receivedShares()
      let envelope = try await InputFile.read(file)
      let (sender, message): (ContactKey, ShareMessage)
      do throws(ShareRejection) {
        (sender, message) = try ShareMessage.open(
          envelope, to: own, from: contacts.compactMap { ContactKey($0.key) }
        ) { sender, share in
          guard !isOnlyLooking else { return 0 }
          return known.first { $0.sender == sender.bytes && $0.share == share }?.serial ?? 0
        }
      } catch {
        throw CommandFailure(error)
      }
      let contact = contacts.first { $0.key == sender.bytes }?.name ?? "-"
      let former = known.first { $0.sender == sender.bytes && $0.share == message.share }
      if isOnlyLooking { return try look(session, message, contact, former) }
      try await take(session, message, sender, contact, former)
      return .done
    }
  }

  private func look(
    _ session: OwnerSession, _ message: ShareMessage, _ contact: String,
    _ former: ReceivedShareRow?
  ) throws -> ExitCode {
    let periods = message.grant?.periods
    ShareLine(
      share: message.share, isSent: false, tracker: message.grant?.name ?? "-", contact: contact,
      rights: periods?.rights ?? ShareRights(),
      periods: periods?.periods ?? former?.periods
        ?? PeriodRange(first: 1, last: 0), serial: message.serial, issuedAt: message.issuedAt,
      until: periods?.until ?? former?.until ?? 0, state: message.grant == nil ? "ended" : "live",
      isRenewed: false, file: file
    ).append(to: session.output, isJSON: session.isJSON, zone.times)
    return .done
  }

  private func take(
    _ session: OwnerSession, _ message: ShareMessage, _ sender: ContactKey, _ contact: String,
    _ former: ReceivedShareRow?
  ) async throws {
    let now = Timestamp.now.unixMilliseconds
    var row = ReceivedShareRow(
      sender: sender.bytes, share: message.share, serial: message.serial,
      // Of a share that was never here nobody says how long its messages are to be remembered.
      until: former?.until ?? Int64(UInt32.max), device: nil,
      rights: former?.rights ?? ShareRights(),
      periods: former?.periods ?? PeriodRange(first: 1, last: 0), model: former?.model ?? "",
      backend: former?.backend ?? "", issuedAt: message.issuedAt)
    var device: Device?
    if let grant = message.grant {
      guard grant.periods.isLive(at: now) else {
        throw CommandFailure(.notFound, "this share has ended", hint: "ask \(contact) for another")
      }
      let uuid = try ReceivedShare.device(sender: sender, share: message.share)
      let name = String(String.UnicodeScalarView(grant.name.unicodeScalars.prefix(100)))
      device = Device(
        uuid: uuid, keys: .lunaShared(grant.periods),
        onboardingTimestamp: Timestamp(
          unixMilliseconds: Int64(grant.periods.periods.first) * 1_024_000),
        name: DisplayText.clean("\(name) of \(contact)"))
      row.until = grant.periods.until
      row.device = uuid
      row.rights = grant.periods.rights
      row.periods = grant.periods.periods
      row.model = grant.model
      row.backend = grant.backend
    }
    guard try await session.store.take(row, as: device, clock: message.grant?.clock) else {
      throw CommandFailure(ShareRejection.serial)
    }
    try await session.show(row, zone.times)
    session.diagnostics.note(
      device.map { "luna: \($0.name) is followed now" } ?? "luna: \(contact) has ended this share")
  }
}
