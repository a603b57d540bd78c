import LunaClient
import LunaCore
import Testing

@testable import LunaAccount

@Suite("What is wrong with the way to a server")
struct AccountErrorTests {
  @Test("A library that is missing is called so, whoever asks")
  func library() {
    let missing = AccountError(HTTPError(.library, "the HTTP library is missing"))
    #expect(missing.code == .network && missing.isLibrary)
    #expect(BackendError(missing).kind == .library)
    let away = AccountError(HTTPError(.unreachable, "nobody is there"))
    #expect(away.code == .network && !away.isLibrary)
    #expect(BackendError(away).kind == .unreachable)
  }

  @Test("Another process that has the credential is no backend that is busy")
  func locked() {
    #expect(BackendError(AccountError.locked).kind == .inUse)
  }

  @Test("Who waits for a person to approve does not wait for a library")
  func noWaiting() {
    var grant = DeviceGrant(interval: .seconds(5), expiresIn: .seconds(600), now: .zero)
    let missing = AccountError(HTTPError(.library, "the HTTP library is missing"))
    guard case .fail(let error) = grant.take(.failed(missing), now: .seconds(5)) else {
      Issue.record("it goes on")
      return
    }
    #expect(error == missing)
  }
}
