import Bluetooth
import Diagnosis
import LunaCore
public import LunaHome
import LunaStore
import WebAccess

/// Who is signed in.
public struct SessionManager: Sendable {
  private let accounts: @Sendable () throws(HomeError) -> HomeAccounts

  private let clock: WallClock

  init(_ clock: WallClock, _ accounts: @escaping @Sendable () throws(HomeError) -> HomeAccounts) {
    self.clock = clock
    self.accounts = accounts
  }

  /// All that may be used now, the oldest first.
  ///
  /// - Throws: ``LunaHome/HomeError`` of kind `state` before the start, and `storage`.
  public func all() async throws(HomeError) -> [Session] {
    let accounts = try accounts()
    do throws(DeviceStoreError) {
      return try await accounts.sessions(at: clock.now()).map { Session($0) }
    } catch {
      throw HomeError(.storage, error.reason)
    }
  }

  /// Begins a session for an account, for programs that know by other means who somebody is. Tell
  /// ``LunaApplication/signInComplete(_:)`` when the browser has it.
  ///
  /// - Parameters:
  ///   - account: one that is there; see `luna home account`.
  ///   - agent: what the browser calls itself.
  /// - Throws: ``LunaHome/HomeError`` of kind `notFound` for an account that is not there or no longer good,
  ///   `state` and `storage`.
  public func begin(
    for account: String, agent: String = ""
  ) async throws(HomeError) -> NewSession {
    let accounts = try accounts()
    do {
      let time = clock.now()
      let known = try await accounts.credentials(account)?.account
      if let known, known.isGood(at: time) {
        let secret = try RandomSecret()
        try await accounts.begin(
          secret, account, needsCode: false, agent: agent, after: nil, at: time)
        if let (session, _) = try await accounts.session(secret, at: time) {
          return NewSession(session: Session(session), secret: secret.text)
        }
      }
    } catch {
      throw HomeError(.storage, (error as? any Diagnosed)?.reason ?? "\(error)")
    }
    throw HomeError(.notFound, "there is no account \(account), or no longer")
  }
}
