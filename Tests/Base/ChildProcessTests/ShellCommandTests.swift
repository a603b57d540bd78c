import Foundation
import Testing

@testable import ChildProcess

@Suite(.timeLimit(.minutes(10)))
final class ShellCommandTests {
  private let directory: String

  init() throws {
    directory = NSTemporaryDirectory() + "luna-shell-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private func end(of command: ShellCommand) async throws {
    while !command.hasEnded { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func seesItsVariablesAndThoseOfThisProcess() async throws {
    let file = directory + "/seen"
    let command = try #require(
      ShellCommand(
        "echo \"$LUNA_EVENT|$LUNA_FILE|${PATH:+path}\" >'\(file)'",
        variables: [("LUNA_EVENT", "a 'quoted' $value"), ("LUNA_FILE", "x=y")]))
    try await end(of: command)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "a 'quoted' $value|x=y|path\n")
  }

  @Test func doesNotSeeWhatIsHiddenFromIt() async throws {
    let file = directory + "/hidden"
    setenv("LUNA_TEST_SECRET", "hush", 1)
    setenv("LUNA_TEST_SECRETS", "open", 1)
    let command = try #require(
      ShellCommand(
        "echo \"${LUNA_TEST_SECRET-none}|$LUNA_TEST_SECRETS\" >'\(file)'", variables: [],
        hiding: ["LUNA_TEST_SECRET"]))
    try await end(of: command)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "none|open\n")
  }

  @Test func endsWithEverythingThatItStarted() async throws {
    let file = directory + "/pid"
    let command = try #require(
      ShellCommand("trap '' TERM; sleep 60 & echo $! >'\(file)'; wait; sleep 60", variables: []))
    var text = ""
    while text.isEmpty {
      try await Task.sleep(for: .milliseconds(5))
      text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    }
    let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    command.end()
    try await end(of: command)
    // A process that nobody waits for stays in the list for a moment.
    while kill(child, 0) == 0, !isZombie(child) { try await Task.sleep(for: .milliseconds(5)) }
    command.end()
    command.kill()
  }

  private func isZombie(_ process: pid_t) -> Bool {
    let state = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ") Z"
    return state.split(separator: ")").last?.hasPrefix(" Z") ?? true
  }
}
