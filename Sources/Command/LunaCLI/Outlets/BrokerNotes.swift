import Diagnosis
import MQTT

/// Says how it stands with a broker, when that changes.
enum BrokerNotes {
  static func follow(
    _ states: AsyncStream<MQTTState>, of broker: MQTTAddress?, _ diagnostics: Diagnostics
  ) -> Task<Void, Never> {
    Task {
      var last: String?
      for await state in states {
        switch state {
        case .connecting: break
        case .connected:
          let place = broker.map { "\($0.host):\($0.port)" } ?? "the broker"
          diagnostics.note("luna: MQTT: connected to \(place)")
          last = nil
        case .disconnected(let error, let pause):
          // Once is enough until it is another one.
          if last != error.reason {
            diagnostics.note(
              "luna: MQTT: \(error); trying again in \(max(1, pause.components.seconds)) s")
          }
          last = error.reason
        }
      }
    }
  }
}
