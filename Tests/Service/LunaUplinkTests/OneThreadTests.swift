import LunaTesting
import Testing
import UplinkProtocol

@testable import LunaUplink

/// Checks of an uplink in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  @Test func tasksGoOnWhileAServerOfWehesIsSilent() async {
    await #expect(processExitsWith: .success) {
      let listener = PatientListener()
      var client = WeheClient(try await ServerAddress.find("127.0.0.1"))
      client.sideChannelPort = listener.port
      let text = String(listener.port)
      let port = String(repeating: "0", count: 5 - text.utf8.count) + text
      let pair = "127.000.000.001.40000-127.000.000.001.\(port)"
      let recording = try Recording(
        Array(
          (#"[[{"c_s_pair":"\#(pair)","timestamp":0,"payload":"68656c6c6f","response_len":1,"#
            + #""response_hash":null}],[],["\#(pair)"],"Luna-11252026"]"#).utf8))
      let plan = try #require(
        ReplayPlan(
          user: "abcdefghi1", recording: recording, isControl: false, extra: "0", history: 3,
          isLast: false))
      try await OneThread.check(
        { [client] in
          let record = await client.replay(plan)
          #expect(record.outcome != .finished(isTruncated: false))
        }, until: { listener.hangUp() })
    }
  }

  @Test func tasksGoOnWhileARelayWaitsForClients() async {
    await #expect(processExitsWith: .success) {
      let relay = try RecordingRelay(
        to: #require(RelayTarget(https: "https://127.0.0.1:9/path")))
      let isDone = Watched(false)
      try await OneThread.check(
        {
          await #expect(throws: RelayError.self) {
            try await relay.record { try await isDone.until { $0 } }
          }
        }, until: { isDone.withLock { $0 = true } })
    }
  }
}
