import Foundation
import Glibc
import Testing

@testable import LunaDoctor

@Suite(.timeLimit(.minutes(10)))
struct ProgramsTests {
  @Test func aVersionIsTheLastWordOfTheFirstLine() async {
    let limit = Duration.seconds(600)
    #expect(await Programs.output("exit 1", within: limit) == nil)
    #expect(await Programs.version(of: "/nowhere/luna", within: limit) == nil)
    // It says so: "echo (GNU coreutils) 9.1".
    #expect(await Programs.version(of: "/bin/echo", within: limit)?.isEmpty == false)
  }

  /// A unit may start a script that heeds no arguments: asked for its version, it would run beside the unit for ever.
  @Test func oneThatGoesOnIsEnded() async throws {
    let program = NSTemporaryDirectory() + "luna-unit-" + UUID().uuidString
    let mark = program + ".process"
    defer { for path in [program, mark] { try? FileManager.default.removeItem(atPath: path) } }
    try "#!/bin/sh\necho $$ >\"$0.process\"\nexec sleep 3600\n"
      .write(toFile: program, atomically: true, encoding: .utf8)
    try #require(chmod(program, 0o700) == 0)
    // Until it has come as far as to go on, however slow the machine is.
    var (limit, text) = (Duration.milliseconds(50), "")
    repeat {
      limit *= 2
      #expect(await Programs.version(of: program, within: limit) == nil)
      text = (try? String(contentsOfFile: mark, encoding: .utf8)) ?? ""
    } while !text.hasSuffix("\n")
    let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(process, 0) != 0)
  }
}
