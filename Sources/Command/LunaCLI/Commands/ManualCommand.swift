import CommandSpec
import Glibc
import LunaDocuments

/// `luna manual`: the manual pages, from the declarations that the parser uses. Hidden: people read
/// the installed pages; `scripts/generate-docs` writes those with this.
struct ManualCommand: Sendable {
  var page: String?
  var general = GeneralOptions()

  static let command = Command(
    "manual", "Print a manual page in mdoc, or the names of all.",
    initial: ManualCommand(),
    arguments: [.optional("PAGE", "A name such as luna-scan", \.page, .text)],
    groups: [GeneralOptions.group.scoped(to: \.general)],
    isHidden: true)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let root = LunaCommand.tree.description
      let pages = root.pages()
      guard let name = page else {
        for page in pages { output.append(line: page.manualName) }
        return .done
      }
      guard let page = pages.first(where: { $0.manualName == name }) else {
        throw CommandFailure(.notFound, "there is no page \(name)", hint: "see luna manual")
      }
      output.append(document: ManualPage.text(for: page, in: root, date: Version.date))
      return .done
    }
  }
}
