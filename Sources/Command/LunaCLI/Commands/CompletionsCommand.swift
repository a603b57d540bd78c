import CommandSpec
import Glibc
import LunaDocuments

/// `luna completions`: the script that makes a shell complete the command line.
struct CompletionsCommand: Sendable {
  var shell = Shell.bash
  var general = GeneralOptions()

  static let command = Command(
    "completions", "Print a script that makes a shell complete luna's command line.",
    initial: CompletionsCommand(),
    arguments: [.required("SHELL", "bash, zsh or fish", \.shell, .choice)],
    groups: [GeneralOptions.group.scoped(to: \.general)],
    examples: [
      Example("source <(luna completions bash)", "In this shell, now"),
      Example(
        "luna completions bash > /usr/share/bash-completion/completions/luna", "For everybody"),
      Example("luna completions zsh > \"${fpath[1]}/_luna\"", "For zsh"),
      Example("luna completions fish > ~/.config/fish/completions/luna.fish", "For fish"),
    ],
    exitStatuses: [ExitStatus(0, ExitCode.done.meaning), ExitStatus(2, ExitCode.usage.meaning)])

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      output.append(document: shell.completions(for: LunaCommand.tree.description))
      return .done
    }
  }
}
