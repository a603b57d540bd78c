import Bluetooth
import Testing

@testable import HCIHost

@Suite struct ConnectRetriesTests {
  private func error(_ kind: GATTError.Kind) -> GATTError {
    GATTError(kind, during: "connect", "why")
  }

  @Test func waitsLongerAndLonger() {
    var retries = ConnectRetries()
    var pauses: [Duration?] = []
    for _ in 0..<7 {
      pauses.append(retries.pause(after: error(.abortedLocally), left: .seconds(60)))
    }
    #expect(
      pauses == [
        .zero, .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(2),
        .seconds(2),
      ])
    #expect(retries.attempt == 8)
  }

  @Test func knowsWhatAnotherAttemptMayMend() {
    let kinds: [(GATTError.Kind, Bool)] = [
      (.abortedLocally, true), (.abortedByPeer, true), (.busy, true), (.outOfRange, true),
      (.refused, false), (.timedOut, false), (.malformed, false), (.adapterLost, false),
      (.notFound, false), (.daemonRestarted, false),
    ]
    for (kind, mends) in kinds {
      var retries = ConnectRetries()
      #expect((retries.pause(after: error(kind), left: .seconds(9)) != nil) == mends, "\(kind)")
    }
  }

  @Test func endsWithTheLimit() {
    var retries = ConnectRetries()
    #expect(retries.pause(after: error(.busy), left: .zero) == nil)
    #expect(retries.pause(after: error(.busy), left: .milliseconds(100)) == nil)
    #expect(retries.pause(after: error(.busy), left: .milliseconds(501)) == .milliseconds(500))
  }
}
