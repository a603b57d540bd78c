import Diagnosis
import LunaCore
import LunaTesting
import Testing

@testable import LunaTelemetry

@Suite("When telemetry is sent")
struct FlushPaceTests {
  private var pace = FlushPace()
  private var generator = Seeded(1)

  private mutating func pause(_ end: FlushEnd) -> Duration {
    pace.pause(after: end, every: .seconds(30), using: &generator)
  }

  @Test("Every 24 to 36 seconds")
  mutating func success() {
    var all: Set<Duration> = []
    for _ in 0..<200 {
      let pause = pause(.done)
      #expect(pause >= .seconds(24) && pause <= .seconds(36))
      all.insert(pause)
    }
    #expect(all.count > 100)
  }

  @Test("A network that is blocked for an hour sees few attempts")
  mutating func blocked() {
    let failure = FlushEnd.failed(BackendError(.unreachable, "no network"))
    for _ in 0..<50 {
      pace = FlushPace()
      var (time, attempts) = (Duration.zero, 0)
      while time < .seconds(3600) {
        let pause = pause(failure)
        #expect(pause >= .seconds(1) && pause <= .seconds(600))
        time += pause
        attempts += 1
      }
      #expect(attempts < 80)
      #expect(pace.isFailing)
    }
    _ = pause(.done)
    #expect(!pace.isFailing)
  }

  @Test("What the backend asks for is waited for at least")
  mutating func retryAfter() {
    let pause = pause(.failed(BackendError(.busy, "busy", status: 429, retryAfter: 120)))
    #expect(pause >= .seconds(120) && pause <= .seconds(121))
  }

  @Test("A backend without the endpoint is asked again the next day")
  mutating func missing() {
    #expect(pause(.failed(BackendError(.notFound, "no", status: 404))) == .seconds(86_400))
  }
}
