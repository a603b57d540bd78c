import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaProtocol

/// Delivers commands to one device, each as a ``ControlRun``.
struct ControlDelivery: Sendable {
  /// How recent a frame has to be for what it says to hold, µs of this machine's time.
  static let freshness: Int64 = 3_000_000

  /// Makes the package for a challenge.
  typealias PackageMaker =
    @Sendable (ControlCommand, UInt16, ControlChallenge, Timestamp) async throws -> ControlPackage

  let client: any GATTClient
  let device: LocalDevice
  /// The keys of the device; nil for who does not hold them.
  let keys: TrackerKeys?
  let makePackage: PackageMaker?
  let clock: WallClock
  /// Protocol time at a time of this machine.
  let protocolTime: @Sendable (Timestamp) -> Timestamp
  let progress: @Sendable (BuzzerProgress) -> Void

  /// Delivers; ends within the limits. Cancelled, it ends after the operation that is under way.
  func run(
    _ request: ControlRequest, limits: BuzzerLimits
  ) async throws(BuzzerError) -> ControlReceipt {
    try await ControlRun(self, request, limits: limits).outcome()
  }

  /// Protocol time, Unix ms.
  func now() -> Int64 { protocolTime(clock.now()).unixMilliseconds }

  /// The device, if it was heard just now and not only when the machine was told last.
  func heard(since told: Timestamp?) -> (target: HeardTarget, at: Timestamp)? {
    let state = device.snapshot
    guard let seen = state.lastSeenDate, seen != told, isFresh(seen),
      let target = HeardTarget(state)
    else { return nil }
    return (target, seen)
  }

  /// Whether something was heard just now. A follower tells when in protocol time.
  private func isFresh(_ seen: Timestamp) -> Bool {
    let now = clock.now().microseconds
    func at(_ shift: Int64) -> Timestamp {
      let (time, overflow) = now.addingReportingOverflow(shift)
      return protocolTime(Timestamp(microseconds: overflow ? now : time))
    }
    return at(-ControlDelivery.freshness) <= seen && seen <= at(ControlDelivery.freshness)
  }

  func make(
    _ command: ControlCommand, _ argument: UInt16, _ challenge: ControlChallenge
  ) async -> ControlEvent {
    guard let makePackage else {
      return .noPackage(
        BuzzerError(.noPackage, "there is nobody to make packages", remedy: "give control packages")
      )
    }
    do {
      return .package(
        try await makePackage(command, argument, challenge, protocolTime(clock.now())))
    } catch {
      var failure = BuzzerError(.noPackage, "no package could be made: \(error)")
      failure.possibleAt = (error as? any LaterPossible)?.possibleAt
      return .noPackage(failure)
    }
  }
}
