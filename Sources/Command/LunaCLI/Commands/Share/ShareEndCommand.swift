import Bluetooth
import CommandSpec
import Luna
import LunaCore
import LunaDocuments
import LunaOwner
import LunaShare
import LunaStore

/// `luna share end`: asks the contact's program to forget a share.
struct ShareEndCommand: Sendable {
  var share = ""
  var file: String?
  var overwrites = false
  var output = OutputOptions()
  var store = StoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "end", "End a share early, as far as the other side agrees.",
    discussion: ["The file that it writes ends the share where it is imported."]
      + ShareCommand.warning,
    initial: ShareEndCommand(),
    arguments: [.required("SHARE", "Its id, or the start of it", \.share, .text)],
    groups: [
      OptionGroup("Options", ShareCommand.fileOptions(\.file, \.overwrites)),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StoreOptions.group.scoped(to: \.store), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna share end 6BA7B810 -o end.lunashare", "Then send the file")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, output.format, general) { session in
      let sharing = session.sharing()
      let row = sharing.ended(try await session.sentShare(share), at: .now)
      let name = try await session.store.allDevices().first { $0.uuid == row.tracker }?.name
      let file = file ?? ShareCommand.file((name ?? "tracker") + "-end", row.contact)
      try await session.write(row, sharing, to: file, replacing: overwrites)
      try await session.show(row, zone.times, file: file)
      for line in ShareCommand.warning { session.diagnostics.note("luna: \(line)") }
      return .done
    }
  }
}
