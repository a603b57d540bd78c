import CLinux
import CommandSpec
import FileOutput
import Glibc
import LunaDocuments
import ServiceManager
import Synchronization

@main
struct Main {
  /// Not an asynchronous `main`: that one runs on a thread of the pool, and the first thread would
  /// take every signal.
  static func main() {
    luna_hide_memory()
    luna_return_memory()
    SignalWatcher.block()
    // Before other threads read the environment.
    _ = ServiceManager.current
    RemedyWords.install()
    // Files that reach a limit on their size are to be reported, as full disks are.
    signal(SIGXFSZ, SIG_IGN)
    // SQLite maps the index of a log: there is no error to be had when somebody cuts it. The log itself
    // has everything, and the next run makes a new index of it.
    luna_end_on_cut_file(
      "-shm", "was cut while it was in use; start again: nothing that was written is lost",
      ExitCode.lost.rawValue)
    Task.detached(executorPreference: CommandThread.tasks) {
      end(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
    SignalWatcher.wait()
  }

  /// Ends the process. Nothing is left to be done but for the terminal, and files that are not whole or were for
  /// this process alone; what libraries do in `exit` would be done beside threads that still use them.
  static func end(_ status: Int32) -> Never {
    guard !isEnding.exchange(true, ordering: .relaxed) else {
      // Who fails because files go is not the one who says how it ended, as long as that takes no longer than this.
      sleep(5)
      _exit(status)
    }
    luna_terminal_leave()
    Passphrase.showTyping()
    FileDraft.discardAll()
    if TemporaryFolder.isAny {
      // Threads that work there still would complain of what somebody wants gone.
      fallSilent()
      TemporaryFolder.discardAll()
    }
    _exit(status)
  }

  private static let isEnding = Atomic(false)

  private static func fallSilent() {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] { dup2(nowhere, descriptor) }
  }

  private static func run(_ words: [String]) async -> ExitCode {
    let failure: CommandFailure
    do {
      switch try await CommandLineReading(words) {
      case .text(let text): return print(text)
      case .action(let action, let tellsJSON):
        return await CommandUse.$name.withValue(LunaCommand.name(of: words)) {
          await ErrorLine.$isWanted.withValue(tellsJSON) { await run(action, words) }
        }
      }
    } catch let error as CommandFailure {
      failure = error
    } catch let error as UsageError {
      failure = CommandFailure(error.naming(commandsIn: LunaCommand.tree.description))
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

  /// Does what was asked for; a service anew, as often as it is told to read its configuration again.
  private static func run(_ action: @escaping LunaCommand.Action, _ words: [String]) async
    -> ExitCode
  {
    let reload = ServiceReload(words)
    var action = action
    while true {
      let code = await ServiceReload.$current.withValue(reload) { [action] in await action() }
      guard let next = reload.follow(action, code) else { return code }
      action = next
    }
  }

  private static func print(_ text: String) -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    output.append(document: text)
    do throws(OutputBuffer.WriteError) {
      try output.flush()
      return .done
    } catch {
      // That nobody reads to the end is no failure.
      guard !error.isClosedPipe else { return .done }
      let failure = CommandFailure(writing: error, to: "standard output")
      Diagnostics(quiet: false, verbosity: 0).error(failure)
      return failure.code
    }
  }
}
