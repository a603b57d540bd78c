import Foundation
import Glibc
import HCIHost
import Testing

@testable import BlueZ

/// How luna-helper is asked, and what is made of its answers. The real one is asked in the VM.
@Suite struct SocketHelperTests {
  /// Where there is nothing, and nobody makes anything.
  private static let nowhere = NSTemporaryDirectory() + "luna-nowhere-\(getpid())"

  /// A program in the place of the helper: `answer` is Python, `s` its socket and `q` what it was asked.
  private final class Program {
    let path = NSTemporaryDirectory() + "luna-helper-\(getpid())-\(UInt32.random(in: 0 ... .max))"

    init(_ answer: String) throws {
      let text = """
        #!/usr/bin/python3
        import os, socket
        s = socket.socket(fileno=0)
        q = s.recv(100)
        \(answer)
        """
      let bytes = Array(text.utf8)
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o700)
      try #require(descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count)
      close(descriptor)
    }

    deinit { unlink(path) }
  }

  private func ask(_ request: SocketHelper.Request, _ answer: String) async throws -> Int32? {
    let program = try Program(answer)
    let helper = SocketHelper(program: program.path, socket: Self.nowhere)
    #expect(helper.state == .usable)
    defer { withExtendedLifetime(program) {} }
    let descriptor = try await helper.ask(request)
    #expect(helper.hasOpened == ((descriptor ?? -1) >= 0))
    return descriptor
  }

  @Test(arguments: [
    (SocketHelper.Request.monitor, "luna 1 monitor"), (.control, "luna 1 control"),
    (.user(7), "luna 1 user hci7"),
  ]) func takesTheSocket(_ request: SocketHelper.Request, _ text: String) async throws {
    // A file that holds what it was asked is as good as a socket.
    let descriptor = try #require(
      try await ask(
        request,
        """
        r, w = os.pipe()
        os.write(w, q)
        assert os.environ == {} or list(os.environ) == ['LC_CTYPE'], os.environ
        socket.send_fds(s, [b'ok'], [r])
        """))
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self) == text)
    #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func anInterfaceIsTakenDownWithoutASocket() async throws {
    #expect(
      try await ask(.down(1), "s.send(b'ok' if q == b'luna 1 down hci1' else b'refused')") == -1)
  }

  @Test func saysWhatTheKernelSaid() async throws {
    await #expect(throws: SystemCallError("bind", EBUSY)) {
      try await ask(.user(0), "s.send(b'error bind \(EBUSY)')")
    }
    // Its rights are gone, and there is no other way.
    await #expect(throws: SystemCallError("bind", EPERM)) {
      try await ask(.monitor, "s.send(b'error bind \(EPERM)')")
    }
  }

  @Test(arguments: [
    "s.send(b'refused')", "pass", "os._exit(1)", "s.send(b'ok')", "s.send(b'error bind')",
    "s.send(b'error bind -1')", "s.send(b'error bind x')", "s.send(b'')", "s.send(b'x' * 5000)",
    "socket.send_fds(s, [b'no'], [1])",
  ]) func doesWithoutOneThatMakesNoSense(_ answer: String) async throws {
    #expect(try await ask(.monitor, answer) == nil)
  }

  @Test func doesWithoutOne() async throws {
    let helper = SocketHelper(program: Self.nowhere, socket: Self.nowhere)
    #expect(helper.state == .absent)
    #expect(try await helper.ask(.monitor) == nil)
    let program = try Program("s.send(b'ok')")
    chmod(program.path, 0)
    let forbidden = SocketHelper(program: program.path, socket: Self.nowhere)
    #expect(forbidden.state == .forbidden)
    #expect(try await forbidden.ask(.monitor) == nil)
  }
}
