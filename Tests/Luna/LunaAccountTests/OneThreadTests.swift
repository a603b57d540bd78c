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

  /// Nobody will ever open its other end.
  @Test func aPipeInThePlaceOfACredentialIsNotWaitedFor() async {
    await #expect(processExitsWith: .success) {
      let state = TemporaryState()
      try #require(mkfifo(state.path + "/luna.account", 0o600) == 0)
      setenv("CREDENTIALS_DIRECTORY", state.path, 1)
      let (account, _) = OneThreadTests.account("http://127.0.0.1:1", state)
      await #expect(throws: AccountError.self) { try await account.identity() }
      withExtendedLifetime(state) {}
    }
  }
}
