import LunaStore
import LunaUplink

extension UplinkKeeper {
  /// Goes on when somebody has agreed to it, and keeps others out for as long as what is returned lives.
  func begin() async throws -> WaitingLock {
    try await UplinkConsent(in: state.path).require(printer.notes)
    return try await UplinkLock.take(in: state)
  }
}
