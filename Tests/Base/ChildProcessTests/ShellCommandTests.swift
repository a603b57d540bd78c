import Foundation
import LunaTesting
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

  /// Runs a command to its end.
  private func run(
    _ text: String, variables: [(name: String, value: String)], hiding hidden: [String] = []
  ) async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let command = try #require(
      ShellCommand(text, variables: variables, hiding: hidden) { _ in end.finish() })
    for await _ in ends {}
    #expect(command.hasEnded)
  }

  @Test func seesItsVariablesAndThoseOfThisProcess() async throws {
    let file = directory + "/seen"
    try await run(
      "echo \"$LUNA_EVENT|$LUNA_FILE|${PATH:+path}\" >'\(file)'",
      variables: [("LUNA_EVENT", "a 'quoted' $value"), ("LUNA_FILE", "x=y")])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "a 'quoted' $value|x=y|path\n")
  }

  /// In a process of its own, since variables are the process's: others read them meanwhile.
  @Test func doesNotSeeWhatIsHiddenFromIt() async {
    let file = directory + "/hidden"
    await #expect(processExitsWith: .success) { [file = file as String] in
      setenv("LUNA_TEST_SECRET", "hush", 1)
      setenv("LUNA_TEST_SECRETS", "open", 1)
      try await ShellCommandTests().run(
        "echo \"${LUNA_TEST_SECRET-none}|$LUNA_TEST_SECRETS\" >'\(file)'", variables: [],
        hiding: ["LUNA_TEST_SECRET"])
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "none|open\n")
    }
  }

  @Test func endsWithEverythingThatItStarted() async throws {
    let file = directory + "/pid"
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let command = try #require(
      ShellCommand(
        "trap '' TERM; sleep 60 & echo $! >'\(file)'; wait; sleep 60", variables: []
      ) { _ in end.finish() })
    // Whatever becomes of the test.
    defer { command.kill() }
    var text = ""
    try await waitUntil {
      text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return text.hasSuffix("\n")
    }
    let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    command.end()
    for await _ in ends {}
    // A process that nobody waits for stays in the list for a moment.
    try await waitUntil { kill(child, 0) != 0 || ShellCommandTests.isZombie(child) }
    command.end()
  }

  static func isZombie(_ process: pid_t) -> Bool {
    let state = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ") Z"
    return state.split(separator: ")").last?.hasPrefix(" Z") ?? true
  }
}
