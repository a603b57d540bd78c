package import Bluetooth
import Diagnosis
import EventLoop
import LunaCore
package import LunaStore

/// The data that a run of a check may use, and what is left of it.
package struct UplinkLedger: Sendable {
  private let limits: UplinkBudget
  private let state: StateDirectory
  private let isMetered: Bool

  /// A ledger for a run.
  ///
  /// - Parameters:
  ///   - state: where it is kept what all checks used.
  ///   - isMetered: whether the data of the link is counted.
  package init(_ limits: UplinkBudget, _ state: StateDirectory, isMetered: Bool) {
    self.limits = limits
    self.state = state
    self.isMetered = isMetered
  }

  /// What a run may use, bytes.
  package var budget: Int64 { isMetered ? limits.meteredRun : limits.run }

  /// Refuses what takes more than a run may use.
  ///
  /// - Throws: ``UplinkError`` of kind `overBudget` or `overMeteredBudget`.
  package func check(_ bytes: Int64) throws(UplinkError) {
    guard bytes > budget else { return }
    throw UplinkError(
      isMetered ? .overMeteredBudget : .overBudget,
      "that takes \(text(bytes)), and a check may use \(text(budget))", remedy: "allow more data")
  }

  /// Takes data for a test out of the month's.
  ///
  /// - Throws: ``UplinkError`` of kind `overMonth` or `overMeteredMonth`, or ``LunaCore/DeviceStoreError``.
  package func reserve(_ bytes: Int64, at now: Timestamp) async throws -> UplinkReservation {
    let (state, limits, isMetered) = (state, limits, isMetered)
    let reservation = try await Blocking.run {
      () throws(DeviceStoreError) -> UplinkReservation? in
      try UplinkStore(in: state).reserve(
        bytes, at: now, limit: limits.month, meteredLimit: isMetered ? limits.meteredMonth : nil)
    }
    if let reservation { return reservation }
    throw UplinkError(
      isMetered ? .overMeteredMonth : .overMonth,
      "checks of this month have used what they may, or that takes \(text(bytes)) more",
      remedy: "wait for the next month, or allow more data")
  }

  /// Says what the test has used.
  ///
  /// - Throws: ``LunaCore/DeviceStoreError``.
  package func settle(_ reservation: UplinkReservation, at bytes: Int64) async throws {
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
