import EventLoop
import Glibc

@testable import LunaUplink

/// A server on loopback that answers each connection by a script, one after the other.
final class TestServer: Sendable {
  let port: UInt16
  private let listener: Int32

  init() throws {
    guard let socket = RelaySocket.listen() else { throw RelayErrorOfTest.noSocket }
    (listener, port) = socket
    _ = fcntl(listener, F_SETFL, 0)
  }

  deinit { close(listener) }

  var target: RelayTarget? { RelayTarget(https: "https://127.0.0.1:\(port)/path") }

  /// Answers so many connections.
  func serve(_ count: Int, _ script: @escaping @Sendable (TestSocket) -> Void) {
    let listener = listener
    Blocking.start { [self] in
      for _ in 0..<count {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        script(TestSocket(descriptor))
      }
      _ = self
    }
  }

  enum RelayErrorOfTest: Error { case noSocket }
}
