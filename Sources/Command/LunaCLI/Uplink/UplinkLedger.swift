import Bluetooth
import EventLoop
import LunaCore
import LunaStore

/// The data that a run of a check may use, and what is left of it.
struct UplinkLedger {
  private let options: UplinkBudgetOptions
  private let state: StateDirectory
  private let isMetered: Bool

  init(_ options: UplinkBudgetOptions, _ state: StateDirectory, link: String?) async {
    self.options = options
    self.state = state
    let isCounted = options.metering == .auto ? await MeteredLink.isCounted() : false
    isMetered = options.isMetered(link, isCounted: isCounted)
  }

  /// What a run may use, bytes.
  var budget: Int64 { isMetered ? options.meteredRun : options.run }

  /// Refuses what takes more than a run may use.
  func check(_ bytes: Int64) throws(CommandFailure) {
    guard bytes > budget else { return }
    throw CommandFailure(
      .overBudget, "that takes \(text(bytes)), and a check may use \(text(budget))",
      hint: isMetered
        ? "the link is metered: --budget-metered SIZE allows more" : "--budget SIZE allows more")
  }

  /// Takes data for a test out of the month's.
  func reserve(_ bytes: Int64) async throws -> UplinkReservation {
    let (state, options, isMetered) = (state, options, isMetered)
    let reservation = try await Blocking.run {
      () throws(DeviceStoreError) -> UplinkReservation? in
      try UplinkStore(in: state).reserve(
        bytes, at: .now, limit: options.month,
        meteredLimit: isMetered ? options.meteredMonth : nil)
    }
    if let reservation { return reservation }
    throw CommandFailure(
      .overBudget,
      "checks of this month have used what they may, or that takes \(text(bytes)) more",
      hint:
        "wait for the next month, or allow more with --monthly\(isMetered ? "-metered" : "") SIZE")
  }

  /// Says what the test has used.
  func settle(_ reservation: UplinkReservation, at bytes: Int64) async throws {
    let state = state
    try await Blocking.run { () throws(DeviceStoreError) in
      try UplinkStore(in: state).settle(reservation, at: bytes)
    }
  }

  private func text(_ bytes: Int64) -> String {
    let megabytes = (Double(bytes) / 1e5).rounded() / 10
    return "\(megabytes) MB"
  }
}
