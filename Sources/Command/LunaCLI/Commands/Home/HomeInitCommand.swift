import CommandSpec
import LunaCore
import LunaDocuments
import LunaHome
import LunaOwner
import LunaProtocol

/// `luna home init`: a file to begin with.
struct HomeInitCommand: Sendable {
  var path: String?
  var overwrites = false
  var store = StoreOptions()
  var general = GeneralOptions()

  static let command = Command(
    "init", "Write a file for a home, with your trackers.",
    discussion: ["The file is full of comments and examples; nothing happens by it yet."],
    initial: HomeInitCommand(),
    arguments: [.optional("FILE", "The file; - is standard output", \.path, .file)],
    groups: [
      OptionGroup("Options", [.flag("force", "Overwrite an existing file", \.overwrites)]),
      StoreOptions.group.scoped(to: \.store), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna home init", "Begin with ~/.config/luna/home.json"),
      Example("luna home init -", "Only look at it"),
    ],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    await OwnerSession.run(store, .table, general, isMade: false) { session in
      let devices = try await session.owner.allDevices()
      let text = HomeTemplate.text(
        devices.map { HomeTemplate.Tracker(device: $0.uuid.description, name: $0.name) })
      let path = try HomePath.resolved(path)
      if path == "-" {
        session.output.append(document: text)
        return .done
      }
      if self.path == nil { HomeFilePlace.makeDirectory(of: path) }
      try OutputFile.write(Array(text.utf8), to: path, replacing: overwrites)
      let count = devices.count
      session.diagnostics.note(
        "luna: wrote \(EscapedPath.text(path)) with \(count) tracker\(count == 1 ? "" : "s"); change "
          + "it as you like, and then run luna home check")
      return .done
    }
  }
}
