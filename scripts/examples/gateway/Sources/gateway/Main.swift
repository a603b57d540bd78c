import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import TrackerSimulation
import VirtualRadio

/// Follows two trackers of the simulated room, whose time runs 400 times faster, and prints how their
/// clocks go. On a real gateway the source is `makeSource(.auto)` of the module BlueZ, and the devices
/// come from onboarding.
@main
struct Main {
  static func main() async throws {
    let epoch = WallClock.system.now()
    let time = ProtocolTime(epoch: epoch, speed: 400)
    let devices = try DemoTracker.all(seed: 1).filter { $0.kind == .own }.prefix(2).compactMap {
      tracker in
      tracker.record.ownership.map {
        Device(
          uuid: $0.uuid, masterKey: $0.masterKey,
          onboardingTimestamp: Timestamp(microseconds: Int64($0.onboardingTimestamp) * 1_000_000),
          name: tracker.name)
      }
    }
    var configuration = LocalConfiguration()
    configuration.time = time
    let local = LunaLocal(store: GatewayStore(devices), configuration: configuration) {
      VirtualRadioSource(seed: 1) { start in
        (try? DemoTracker.guests(seed: 1, start: start.microseconds, time: time)) ?? []
      }
    }
    let updates = local.updates
    local.startScanning(devices)
    let deadline = Task {
      try await Task.sleep(for: .seconds(60))
      local.stopScanning()
    }
    var rotations: [DeviceUUID: Int] = [:]
    for await update in updates {
      guard let uuid = update.state.uuid, update.event == .rotated else { continue }
      rotations[uuid, default: 0] += 1
      show(update)
      if rotations.count == devices.count, rotations.values.allSatisfy({ $0 >= 3 }) { break }
    }
    deadline.cancel()
    await local.stop()
    let isComplete = rotations.count == devices.count
    print(isComplete ? "both trackers were followed through their rotations" : "a tracker was lost")
    if !isComplete { throw Lost() }
  }

  struct Lost: Error {}

  private static func show(_ update: LocalUpdate) {
    let clock = update.state.clock
    let low = clock.map { "\(($0.low * 10).rounded() / 10)" } ?? "?"
    let high = clock.map { "\(($0.high * 10).rounded() / 10)" } ?? "?"
    print(
      "\(update.state.name ?? "?"): \(update.state.eid ?? "?") at \(update.state.identifier), "
        + "clock \(low) to \(high) s, drift \(update.drift ?? .nan) s")
  }
}
