import Glibc
import LunaCore
import LunaTesting
import Testing

@testable import LunaClient

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

  @Test func tasksGoOnWhileAnyServerIsSilent() async {
    await #expect(processExitsWith: .success) {
      let listener = PatientListener()
      let client = try HTTPClient(ClientConfiguration(url: listener.url))
      try await OneThread.check(
        {
          await #expect(throws: HTTPError.self) {
            try await client.send("GET", listener.url)
          }
        }, until: { listener.hangUp() })
    }
  }

  @Test func tasksGoOnWhileAMailServerIsSilent() async {
    await #expect(processExitsWith: .success) {
      let listener = PatientListener()
      let client = try MailClient(ClientConfiguration(url: ""))
      let mail = Mail(
        url: "smtp://127.0.0.1:\(listener.port)", isEncrypted: false, from: "a@example.org",
        to: "b@example.org", user: nil, message: Array("Subject: hello\r\n\r\nhello\r\n".utf8))
      try await OneThread.check(
        { _ = await client.deliver(mail, password: nil, watch: nil) },
        until: { listener.hangUp() })
    }
  }
}
