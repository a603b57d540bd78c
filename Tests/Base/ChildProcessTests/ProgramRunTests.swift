import Glibc
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
    let failure = await #expect(throws: ProgramRun.Failure.self) {
      try await ProgramRun.run(["luna-has-no-such-program"])
    }
    #expect(failure?.code == ENOENT)
  }
}
