import LunaTesting
import Testing

/// The port that a test has for a server of its own.
@Suite(.timeLimit(.minutes(10))) struct FreePortTests {
  /// Nor do tests of integration, which claim theirs in the same way.
  @Test func noOtherProcessChoosesIt() throws {
    let script = """
      import socket, sys
      socket.socket(socket.AF_UNIX).bind("\\0luna-test-port-" + sys.argv[1])
      """
    let other = try TestProgram.run(["python3", "-c", script, String(freePort())])
    // EADDRINUSE
    #expect(other.status == 1 && other.errors.contains("[Errno 98]"), "\(other.errors)")
  }
}
