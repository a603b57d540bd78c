import Glibc
import LunaTesting
import Testing

@testable import LunaAccount

/// An account in a program whose tasks share one thread.
@Suite(.timeLimit(.minutes(10)))
struct OneThreadTests {
  private static func account(
    _ issuer: String, _ state: TemporaryState
  ) -> (account: LunaAccount, profile: String) {
    var configuration = AccountConfiguration()
    configuration.issuer = issuer
    configuration.state = state.directory
    configuration.hasDisplay = false
    let account = LunaAccount(clientID: "luna", configuration, loginHandler: { _ in })
    return (account, configuration.profile)
  }

  @Test func tasksGoOnWhileTheIssuerIsSilent() async {
    await #expect(processExitsWith: .success) {
      let listener = PatientListener()
      let state = TemporaryState()
      let (account, profile) = OneThreadTests.account(listener.url, state)
      let file = try CredentialFile(state: state.directory, profile: profile)
      try file.prepare()
      try file.write(Samples.credential(issuer: listener.url))
      try await OneThread.check(
        {
          await #expect(throws: AccountError.self) { try await account.refresh(force: true) }
        }, until: { listener.hangUp() })
      withExtendedLifetime(state) {}
    }
  }

  /// A disk that is slow; here it is a pipe that nobody has opened yet.
  @Test func tasksGoOnWhileACredentialIsRead() async {
    await #expect(processExitsWith: .success) {
      let state = TemporaryState()
      let pipe = state.path + "/luna.account"
      try #require(mkfifo(pipe, 0o600) == 0)
      setenv("CREDENTIALS_DIRECTORY", state.path, 1)
      let (account, _) = OneThreadTests.account("http://127.0.0.1:1", state)
      try await OneThread.check(
        {
          await #expect(throws: AccountError.self) { try await account.identity() }
        }, until: { close(open(pipe, O_WRONLY | O_CLOEXEC)) })
      withExtendedLifetime(state) {}
    }
  }
}
