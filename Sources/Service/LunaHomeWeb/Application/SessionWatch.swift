import Bluetooth
import LunaCore

/// Notices who is signed in and out, however that comes: in the app, by a command, or since time has passed.
actor SessionWatch {
  private let accounts: HomeAccounts
  private let clock: WallClock
  private let tell: @Sendable (HomeEvent) -> Void
  private var known: [SessionID: Session]?

  init(
    _ accounts: HomeAccounts, _ clock: WallClock, _ tell: @escaping @Sendable (HomeEvent) -> Void
  ) {
    self.accounts = accounts
    self.clock = clock
    self.tell = tell
  }

  /// Looks who is there now. Those that are there at the first look are not told.
  func look() async {
    // While the storage cannot say, nobody has come or gone.
    guard let sessions = try? await accounts.sessions(at: clock.now()).map({ Session($0) }) else {
      return
    }
    let before = known
    known = [:]
    for session in sessions {
      known?[session.id] = session
      if before != nil, before?[session.id] == nil { tell(.signedIn(session)) }
    }
    let gone = before?.values.filter { known?[$0.id] == nil } ?? []
    for session in gone.sorted(by: { $0.began < $1.began }) { tell(.signedOut(session)) }
  }
}
