import LunaCore
import LunaTesting
import Testing

@testable import LunaLocation

/// A client of gpsd in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileGPSDIsSilent() async {
    await #expect(processExitsWith: .success) {
      let listener = PatientListener()
      let location = GPSDLocation(host: "localhost", port: listener.port)
      await location.start()
      try await OneThread.check(
        {
          for await update in location.updates {
            guard case .unavailable = update else { continue }
            break
          }
        }, until: { listener.hangUp() })
      await location.stop()
    }
  }
}
