import Glibc
import LunaClient
import LunaCore
import LunaTesting
import Testing

/// A client in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileTheBackendIsSilent() async {
    await #expect(processExitsWith: .success) {
      let listener = PatientListener()
      let client = try BackendClient(ClientConfiguration(url: listener.url), token: .none)
      try await OneThread.check(
        {
          await #expect(throws: BackendError.self) {
            try await client.cancel("1")
          }
        }, until: { listener.hangUp() })
    }
  }
}
