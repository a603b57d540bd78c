import Diagnosis
import Glibc
import LunaCore
import Testing

@testable import LunaClient

@Suite("Where tokens are")
struct TokenSourceTests {
  // No test changes the environment: other tests read it at the same time.
  @Test(
    "Tokens are where systemd puts them, or in the state directory",
    .enabled(if: getenv("CREDENTIALS_DIRECTORY") == nil, "systemd has given credentials"))
  func tokens() {
    let source = TokenSource.standard(.gateway, in: "/state")
    guard case .file(let path) = source else {
      Issue.record("\(source)")
      return
    }
    #expect(path == "/state/gateway.token")
    #expect(TokenSource.Role.owner.credential == "luna.owner-token")
  }

  @Test("Where a token comes from is said where there is none")
  func missing() {
    let error = #expect(throws: BackendError.self) {
      _ = try TokenSource.file("/nonexistent/owner.token").header()
    }
    #expect(error?.kind == .local)
    #expect(
      error?.remedy?.steps == [.tokenCreation, .enrolment, .tokenFile, .signIn, .signedIn])
  }
}
