import LunaStore
import LunaUplink

/// The data of a run of several checks. It is taken out of the month's for all of them before the first one begins: none
/// of them is left out for want of it when others have used theirs.
struct UplinkAllowance {
  private let ledger: UplinkLedger
  private let reservation: UplinkReservation
  /// What each check may use, bytes.
  private let share: Int64
  /// How many checks have not ended.
  private var left: Int64
  private var used: Int64 = 0

  /// Takes as much for each of so many checks.
  init(_ share: Int64, checks: Int, of ledger: UplinkLedger) async throws {
    self.ledger = ledger
    self.share = share
    left = Int64(checks)
    reservation = try await ledger.reserve(share * left)
  }

  /// A check has ended, and used so much.
  mutating func spend(_ bytes: Int64) async throws {
    left -= 1
    used += bytes
    try await ledger.settle(reservation, at: used + share * left)
  }

  /// No other one begins: what was for them goes back.
  func close() async throws {
    guard left > 0 else { return }
    try await ledger.settle(reservation, at: used)
  }
}
