import Bluetooth
import CommandSpec
import Luna
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol
import LunaShare
import LunaStore

/// `luna share renew`: makes a share anew, from now on.
struct ShareRenewCommand: Sendable {
  var share = ""
  var days: Int64 = 30
  var backend = ""
  var file: String?
  var overwrites = false
  var output = OutputOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "renew", "Make a share anew, so that it lasts longer.",
    discussion: ["Not to renew it is the way in which a share really ends."],
    initial: ShareRenewCommand(),
    arguments: [.required("SHARE", "Its id, or the start of it", \.share, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("days", "N", "For how many days from now", \.days, .integer(1...400))
            .defaulting(to: "30"),
          .value("backend", "URL", "Where you ask for reports of it", \.backend, .text)
            .fromEnvironment("LUNA_BACKEND"),
        ] + ShareCommand.fileOptions(\.file, \.overwrites)),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna share renew 6BA7B810", "Another 30 days")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      let sharing = session.sharing(backend: backend)
      let now = Timestamp.now
      let row = try await sharing.renewed(
        try await session.sentShare(share),
        until: now.unixMilliseconds / 1000 + days * 86_400, at: now)
      let device = try await session.owner.device(matching: row.tracker.description)
      let file = file ?? ShareCommand.file(device.name, row.contact)
      try await session.write(row, sharing, to: file, replacing: overwrites)
      try await session.show(row, zone.times, file: file)
      return .done
    }
  }
}
