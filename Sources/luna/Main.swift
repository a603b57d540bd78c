import CommandSpec
import Glibc

@main
struct Main {
  /// Not `async`: the main thread of such a program waits with all signals let through (libdispatch
  /// does so in `dispatch_main`), and would be ended by the first one.
  static func main() {
    SignalWatcher.block()
    Task.detached { exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue) }
    while true { pause() }
  }

  private static func run(_ words: [String]) async -> ExitCode {
    let failure: CommandFailure
    do {
      switch try LunaCommand.tree.parse(words) {
      case .help(let text): return print(text)
      case .version: return print("luna \(Version.text)\n")
      case .specification(let text): return print(text)
      case .run(var match):
        if let path = match.text(of: "config") {
          try match.merge(try ConfigurationReader.read(path))
        }
        return await (try match.resolve())()
      }
    } catch let error as CommandFailure {
      failure = error
    } catch let error as UsageError {
      failure = CommandFailure(error)
    } catch {
      failure = CommandFailure(.usage, "\(error)")
    }
    Diagnostics(quiet: false, verbosity: 0).error(failure)
    return failure.code
  }

  private static func print(_ text: String) -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    output.append(text)
    // A closed pipe is the only failure to expect here, and it is none.
    try? output.flush()
    return .done
  }
}
