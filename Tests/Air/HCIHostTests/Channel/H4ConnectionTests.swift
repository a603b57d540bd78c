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
          let connection = try await H4Connection.open(.path(listener.path))
          #expect(!connection.isRecording)
          close(connection.descriptor)
        }, until: { listener.accept() })
    }
  }
}
