import Bluetooth
import Glibc
import LunaTesting
import Testing

@testable import HCIHost

@Suite(.timeLimit(.minutes(10)))
struct H4ConnectionTests {
  @Test func tasksGoOnWhileItConnects() async {
    await #expect(processExitsWith: .success) {
      let listener = FullListener()
      try await OneThread.check(
        {
          let connection = try await H4Connection.open(.path(listener.path), within: 600)
          #expect(!connection.isRecording)
          close(connection.descriptor)
        }, until: { listener.accept() })
    }
  }

  /// Whoever listens and never answers is not waited for.
  @Test func doesNotWaitForEver() async {
    let listener = FullListener()
    let error = await #expect(throws: SourceError.self) {
      try await H4Connection.open(.path(listener.path), within: 1)
    }
    #expect(error?.kind == .noAdapter)
  }
}
