import Bluetooth
import LunaStore
import LunaUplink

extension UplinkLedger {
  /// A ledger as the options say, for a kind of link.
  init(_ options: UplinkBudgetOptions, _ state: StateDirectory, link: String?) async {
    let isCounted = options.metering == .auto ? await MeteredLink.isCounted() : false
    self.init(
      options.limits, state, isMetered: options.isMetered(link, isCounted: isCounted))
  }

  /// Takes data for a test out of this month's.
  func reserve(_ bytes: Int64) async throws -> UplinkReservation {
    try await reserve(bytes, at: .now)
  }
}
