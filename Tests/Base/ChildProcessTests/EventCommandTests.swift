import Foundation
import LunaTesting
import Synchronization
import Testing

@testable import ChildProcess

@Suite(.timeLimit(.minutes(10)))
final class EventCommandTests: Sendable {
  /// What commands could not do; they may outlive the test.
  private final class Problems: Sendable {
    let list = Mutex<[EventCommand.Problem]>([])
  }

  /// A command that makes its file and does not end by itself before that is gone, as with the test, or the process of
  /// the tests is.
  private static func staying(until condition: String) -> String {
    """
    : >"$FILE"
    while [ -e "$FILE" ] && [ -d "/proc/$PPID" ]; do if \(condition); then exit; fi; sleep 0.01; done
    """
  }
  private static let stays = staying(until: "false")

  private let directory: String
  private let problems = Problems()

  init() throws {
    directory = NSTemporaryDirectory() + "luna-events-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private func make(
    _ text: String, _ repetition: EventCommand.Repetition, limit: Int = 64,
    timeLimit: Duration? = nil
  ) -> EventCommand {
    EventCommand(text, repetition: repetition, limit: limit, timeLimit: timeLimit) {
      [problems] problem in
      problems.list.withLock { $0.append(problem) }
    }
  }

  private func occurrence(_ subject: String, _ name: String) -> EventCommand.Occurrence {
    let variables = [(name: "FILE", value: directory + "/" + name)]
    return EventCommand.Occurrence(subject) { variables }
  }

  /// Waits for the file that a command makes.
  private func wait(for name: String) async throws {
    try await waitUntil { isThere(name) }
  }

  private func make(file name: String) {
    _ = FileManager.default.createFile(atPath: directory + "/" + name, contents: nil)
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: directory + "/" + name)
  }

  @Test func theNextOneEndsTheOneBefore() async throws {
    let command = make(
      "trap ': >\"$FILE.ended\"; exit' TERM; " + EventCommandTests.stays, .ends)
    let running = Task { await command.run() }
    command.tell(occurrence("sound", "first"))
    try await wait(for: "first")
    command.tell(occurrence("sound", "second"))
    try await wait(for: "first.ended")
    try await wait(for: "second")
    // What only ends something starts nothing.
    command.tell(EventCommand.Occurrence("sound") { nil })
    try await wait(for: "second.ended")
    await command.close()
    await running.value
    #expect(await command.skipped == 0)
  }

  @Test func theEndWaitsForOneWhosePredecessorHadEndedBefore() async throws {
    let command = make(EventCommandTests.staying(until: "[ -e \"$FILE.end\" ]"), .ends)
    let running = Task { await command.run() }
    command.tell(occurrence("sound", "first"))
    try await wait(for: "first")
    command.tell(
      EventCommand.Occurrence("sound") { [directory] in
        // Until the command has heard of the end of the first one, which it tells nobody.
        try? await waitUntil { await !command.busy.contains("sound") }
        return [("FILE", directory + "/second")]
      })
    try await wait(for: "second")
    let finishing = Task { await command.finish(within: .seconds(600)) }
    await running.value
    #expect(await !command.isIdle)
    make(file: "second.end")
    await finishing.value
  }

  @Test func whatComesMeanwhileIsToldAfterwardsTheLatestAlone() async throws {
    let command = make(
      EventCommandTests.staying(until: "[ -e \"$FILE.go\" ] || [ -e \"$FILE.end\" ]"),
      .waits)
    let running = Task { await command.run() }
    command.tell(occurrence("keys", "first"))
    try await wait(for: "first")
    command.tell(occurrence("keys", "second"))
    command.tell(occurrence("keys", "third"))
    command.tell(occurrence("bag", "other"))
    // That of another subject does not wait.
    try await wait(for: "other")
    make(file: "first.go")
    try await wait(for: "third")
    for name in ["third", "other"] { make(file: "\(name).end") }
    await command.finish(within: .seconds(600))
    await running.value
    #expect(await command.skipped == 1)
    #expect(!isThere("second"))
  }

  @Test func aFewRunAtATimeAndTheOthersWait() async throws {
    let command = make(": >\"$FILE\"", .waits, limit: 2)
    let running = Task { await command.run() }
    for number in 1...9 { command.tell(occurrence("\(number)", "\(number)")) }
    await command.finish(within: .seconds(600))
    await running.value
    #expect((1...9).allSatisfy { isThere("\($0)") })
    #expect(await command.skipped == 0)
    #expect(problems.list.withLock { $0.isEmpty })
  }

  @Test func oneThatDoesNotEndIsEnded() async throws {
    // It must have come as far as not to heed SIGTERM, however slow the machine is.
    var limit = Duration.milliseconds(10)
    repeat {
      limit *= 2
      let command = make(
        "trap '' TERM; " + EventCommandTests.stays, .waits, timeLimit: limit)
      let running = Task { await command.run() }
      command.tell(occurrence("keys", "first"))
      // It is asked for its variables when its turn comes, that is when the first one has ended.
      await withCheckedContinuation { next in
        command.tell(
          EventCommand.Occurrence("keys") {
            next.resume()
            return nil
          })
      }
      await command.close()
      await running.value
    } while !isThere("first")
  }

  @Test func theEndLetsWhatRunsEndAndNoLonger() async throws {
    let command = make(
      "trap ': >\"$FILE.ended\"; exit' TERM; " + EventCommandTests.stays, .waits)
    let running = Task { await command.run() }
    command.tell(occurrence("keys", "first"))
    try await wait(for: "first")
    command.tell(occurrence("keys", "second"))
    await command.finish(within: .milliseconds(1))
    await running.value
    #expect(isThere("first.ended"))
    #expect(!isThere("second"))
    #expect(await command.skipped == 1)
  }

  @Test func whatOthersWroteHasAnEndAndNoControlCharacters() async throws {
    let command = make("printf %s \"$TEXT\" >\"$FILE.part\"; mv \"$FILE.part\" \"$FILE\"", .waits)
    let running = Task { await command.run() }
    let text = "a\u{0}b\u{1b}[2J$(reboot)" + String(repeating: "x", count: 9999)
    command.tell(
      EventCommand.Occurrence("name") { [directory] in
        [("TEXT", text), ("FILE", directory + "/written")]
      })
    await command.finish(within: .seconds(600))
    await running.value
    let written = try String(contentsOfFile: directory + "/written", encoding: .utf8)
    #expect(written.hasPrefix("a\\x00b\\x1b[2J$(reboot)xxx"))
    #expect(written.hasSuffix("x…"))
    #expect(written.count < EventCommand.longestValue + 10)
  }

  @Test func runsNoMoreThanItMayAndSaysSoOnce() async throws {
    let command = make(EventCommandTests.stays, .ends, limit: 2)
    let running = Task { await command.run() }
    for number in 1...5 { command.tell(occurrence("\(number)", "\(number)")) }
    try await waitUntil { await command.skipped >= 3 }
    await command.close()
    await running.value
    #expect(!isThere("3") && !isThere("4") && !isThere("5"))
    #expect(problems.list.withLock { $0.count } == 1)
  }

  @Test func nothingStartsOnceItIsClosed() async throws {
    let command = make(": >\"$FILE\"", .ends)
    let running = Task { await command.run() }
    // What it is told is known only when it is closed already.
    command.tell(
      EventCommand.Occurrence("late") { [directory] in
        await command.close()
        return [("FILE", directory + "/late")]
      })
    await running.value
    #expect(!isThere("late"))
  }
}
