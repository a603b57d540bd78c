import Foundation
import Glibc
import LunaTesting
import Testing

@testable import ChildProcess

@Suite(.timeLimit(.minutes(10)))
struct ProgramRunTests {
  @Test func givesWhatItPrintedAndHowItEnded() async throws {
    let run = try await ProgramRun.run(["sh", "-c", "echo heard; exit 3"])
    #expect(run.status == 3)
    #expect(run.output == Array("heard\n".utf8))
  }

  @Test func tellsASignalFromAnExit() async throws {
    #expect(try await ProgramRun.run(["sh", "-c", "kill -KILL $$"]).status == 128 + SIGKILL)
  }

  /// A shell cannot have back what was ignored before it began: `yes | head -1` would complain, a loop go on for ever.
  @Test func ignoresNoSignalThatWeIgnore() async throws {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    let run = try await ProgramRun.run(["sh", "-c", "kill -PIPE $$; echo alive"])
    #expect(run.status == 128 + SIGPIPE)
    #expect(run.output.isEmpty)
  }

  @Test func readsMoreThanItKeeps() async throws {
    let run = try await ProgramRun.run(["sh", "-c", "yes | head -c 500000; echo end"], keeping: 10)
    #expect(run.status == 0)
    #expect(run.output == Array("y\ny\ny\ny\ny\n".utf8))
  }

  @Test func readsWhatItIsGiven() async throws {
    // More than a pipe holds.
    let input = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let run = try await ProgramRun.run(["cat"], input: input, keeping: 1 << 20)
    #expect(run.output == input)
  }

  @Test func readsNothing() async throws {
    #expect(try await ProgramRun.run(["cat"]).output.isEmpty)
  }

  @Test func saysThatThereIsNoSuchProgram() async {
    // Not on PATH: there may be a folder in it that this user may not enter, and then the system says that instead.
    let folder = TestFolder()
    let failure = await #expect(throws: ProgramRun.Failure.self) {
      try await ProgramRun.run([folder.path + "/luna-has-no-such-program"])
    }
    #expect(failure?.code == ENOENT)
  }

  @Test func endsWithEverythingThatItStartedWhenItsTaskIsCancelled() async throws {
    let file = NSTemporaryDirectory() + "luna-program-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: file) }
    let script = "sleep 3600 & echo $! >'\(file)'; wait"
    let task = Task { try await ProgramRun.run(["sh", "-c", script], within: .seconds(3600)) }
    var text = ""
    try await waitUntil {
      text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return text.hasSuffix("\n")
    }
    let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    task.cancel()
    let run = try await task.value
    #expect(run.isCutOff && run.status == 128 + SIGKILL)
    // One that nobody waits for stays in the list for a moment, or longer where nobody adopts it.
    try await waitUntil { kill(child, 0) != 0 || ShellCommandTests.isZombie(child) }
  }

  /// A daemon that it has started may keep its standard output for years.
  @Test func doesNotWaitForWhatHasLeftItsGroup() async throws {
    let file = NSTemporaryDirectory() + "luna-program-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: file) }
    let script = "setsid sh -c 'echo $$ >\"$0\"; exec sleep 3600' '\(file)' & wait"
    let task = Task { try await ProgramRun.run(["sh", "-c", script], within: .seconds(3600)) }
    var text = ""
    try await waitUntil {
      text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return text.hasSuffix("\n")
    }
    let daemon = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    defer { kill(daemon, SIGKILL) }
    task.cancel()
    let run = try await task.value
    #expect(run.isCutOff)
    #expect(kill(daemon, 0) == 0, "it is nobody's to end")
  }

  @Test func doesNotBeginInATaskThatWasCancelled() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await ProgramRun.run(["sleep", "3600"], within: .seconds(3600))
    }
    task.cancel()
    let failure = await #expect(throws: ProgramRun.Failure.self) { try await task.value }
    #expect(failure?.code == ECANCELED)
  }
}
