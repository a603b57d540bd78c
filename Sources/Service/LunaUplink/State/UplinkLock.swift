import Diagnosis
import LunaCore
package import LunaStore

/// One check at a time: two would measure each other.
package enum UplinkLock {
  private static let fileName = "luna-uplink.lock"

  /// Keeps others out for as long as what is returned lives.
  ///
  /// - Throws: ``UplinkError`` of kind `busy`, or ``LunaCore/DeviceStoreError``.
  package static func take(in state: StateDirectory) async throws -> WaitingLock {
    try state.create(for: fileName)
    let lock = try await WaitingLock.take(
      "\(state.path)/\(fileName)", within: .zero, sleep: { _ in })
    if let lock { return lock }
    throw UplinkError(
      .busy, "another check runs", remedy: "wait for its end, or use \(.otherDirectory)")
  }
}
