import Bluetooth
import LunaCore
import LunaLocal
import LunaOwner

/// A file is imported, and what was in it is followed.
enum OwnerRun {
  @Sendable static func run(_ bytes: [UInt8]) {
    guard let devices = try? ImportFile.devices(bytes), devices.count <= 8 else { return }
    guard let follower = try? TrackerFollower(devices) else { return }
    var updates: [LocalUpdate] = []
    let now: Int64 = 1_790_000_000_000_000
    _ = follower.wantedDerivations(at: Timestamp(microseconds: now))
    for step in 0..<3 {
      follower.receive(OwnTracker.report(1, at: now + 1_000_000 * Int64(step)), into: &updates)
    }
  }
}
