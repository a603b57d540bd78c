import LunaTesting
import MQTT
import Testing

/// A client in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileABrokerIsSilent() async {
    await #expect(processExitsWith: .success) {
      let listener = PatientListener()
      let client = try MQTTClient(
        MQTTConfiguration(try MQTTAddress("mqtt://127.0.0.1:\(listener.port)"), clientID: "luna"))
      try await OneThread.check(
        {
          client.start()
          for await state in client.states {
            if case .disconnected = state { break }
          }
          await client.stop()
        }, until: { listener.hangUp() })
    }
  }
}
