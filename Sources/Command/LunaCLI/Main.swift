import CLinux
import CommandSpec
import Glibc

@main
struct Main {
  /// Not an asynchronous `main`: that one runs on a thread of the pool, and the first thread would
  /// take every signal.
  static func main() {
    luna_hide_memory()
    SignalWatcher.block()
    // Files that reach a limit on their size are to be reported, as full disks are.
    signal(SIGXFSZ, SIG_IGN)
    Task.detached { exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue) }
    SignalWatcher.wait()
  }

  private static func run(_ words: [String]) async -> ExitCode {
    let failure: CommandFailure
    do {
      switch try LunaCommand.tree(for: words).parse(words) {
      case .help(let text): return print(text)
      case .version: return print("luna \(Version.text)\n")
      case .specification(let text): return print(text)
      case .run(var match):
        match.merge { getenv($0).map { String(cString: $0) } }
        if let path = match.text(of: "config") {
          try match.merge(try ConfigurationReader.read(path))
        }
        let isWanted = match.text(of: "format") == "jsonl"
        let action = try match.resolve()
        return await ErrorLine.$isWanted.withValue(isWanted) { await action() }
      }
    } catch let error as CommandFailure {
      failure = error
    } catch let error as UsageError {
      failure = CommandFailure(error)
    } catch {
      failure = CommandFailure(.usage, "\(error)")
    }
    Diagnostics(quiet: false, verbosity: 0).error(failure)
    if ErrorLine.isWanted(by: words) {
      let output = OutputBuffer(descriptor: STDOUT_FILENO)
      ErrorLine.append(failure, to: output)
      // The error is on standard error already, should nobody read this.
      try? output.flush()
    }
    return failure.code
  }

  private static func print(_ text: String) -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    output.append(document: text)
    // A closed pipe is the only failure to expect here, and it is none.
    try? output.flush()
    return .done
  }
}
