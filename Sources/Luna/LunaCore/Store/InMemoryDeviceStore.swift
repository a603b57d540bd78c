public import Bluetooth
public import LunaProtocol
import Synchronization

/// Keeps devices and what is learned about them for as long as the process lives.
public final class InMemoryDeviceStore: DeviceStore {
  private struct Contents {
    var devices: [Device] = []
    var clocks: [DeviceUUID: ClockState] = [:]
    var counters: [DeviceUUID: UInt32] = [:]
    var sightings: [DeviceUUID: [Sighting]] = [:]
    var derivations: [DerivationKey: [UInt8]] = [:]
    var pending: [PendingOnboarding] = []

    func knows(_ uuid: DeviceUUID) -> Bool { devices.contains { $0.uuid == uuid } }
  }

  /// The number of sightings that are kept of each device, the last ones.
  public let sightingsPerDevice: Int

  private let contents: Mutex<Contents>
  private let rope = BellRope()

  /// A store with some devices.
  public init(devices: [Device] = [], sightingsPerDevice: Int = 1000) {
    self.sightingsPerDevice = max(1, sightingsPerDevice)
    contents = Mutex(Contents())
    contents.withLock { InMemoryDeviceStore.put(devices, into: &$0) }
  }

  private static func put(_ devices: [Device], into contents: inout Contents) {
    for device in devices {
      if let index = contents.devices.firstIndex(where: { $0.uuid == device.uuid }) {
        contents.devices[index] = device
      } else {
        contents.devices.append(device)
      }
    }
  }

  /// All devices, in the order in which they were added.
  public func allDevices() -> [Device] { contents.withLock { $0.devices } }

  /// Adds devices, or replaces those with the same uuid.
  public func put(_ devices: [Device]) {
    contents.withLock { InMemoryDeviceStore.put(devices, into: &$0) }
    rope.pull()
  }

  /// Rings a bell after devices were added, renamed or forgotten.
  public func tell(_ bell: Bell) { rope.add(bell) }

  /// Gives a device another name.
  ///
  /// - Returns: false when there is no such device.
  public func rename(_ uuid: DeviceUUID, to name: String) -> Bool {
    defer { rope.pull() }
    return contents.withLock { contents in
      guard let index = contents.devices.firstIndex(where: { $0.uuid == uuid }) else {
        return false
      }
      contents.devices[index].name = name
      return true
    }
  }

  /// Removes a device and all that was kept about it.
  ///
  /// - Returns: false when there is no such device.
  public func forget(_ uuid: DeviceUUID) -> Bool {
    defer { rope.pull() }
    return contents.withLock { contents in
      guard let index = contents.devices.firstIndex(where: { $0.uuid == uuid }) else {
        return false
      }
      contents.devices.remove(at: index)
      contents.clocks[uuid] = nil
      contents.counters[uuid] = nil
      contents.sightings[uuid] = nil
      contents.derivations = contents.derivations.filter { $0.key.device != uuid }
      return true
    }
  }

  /// The clocks that were kept.
  public func clockStates() -> [DeviceUUID: ClockState] { contents.withLock { $0.clocks } }

  /// Keeps the clocks of some devices; those of unknown devices are left out.
  public func save(_ states: [DeviceUUID: ClockState]) {
    contents.withLock { contents in
      for (uuid, state) in states where contents.knows(uuid) { contents.clocks[uuid] = state }
    }
  }

  /// The next counter of control packages for a device.
  ///
  /// - Parameter unixTime: the owner's time, Unix s.
  public func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) throws(DeviceStoreError) -> UInt32 {
    try contents.withLock { contents throws(DeviceStoreError) in
      guard contents.knows(uuid) || contents.pending.contains(where: { $0.device.uuid == uuid })
      else { throw .unknownDevice(uuid) }
      let last = contents.counters[uuid] ?? 0
      guard let counter = ControlCounter.next(after: last, unixTime: unixTime) else {
        throw .exhaustedCounter(uuid)
      }
      contents.counters[uuid] = counter
      return counter
    }
  }

  /// Takes note of sightings; those of unknown devices are left out.
  public func record(_ sightings: [Sighting]) {
    contents.withLock { contents in
      for sighting in sightings where contents.knows(sighting.device) {
        var kept = contents.sightings[sighting.device, default: []]
        kept.append(sighting)
        // Cut in pieces, so that a sighting does not cost a move of all.
        if kept.count >= 2 * sightingsPerDevice {
          kept.removeFirst(kept.count - sightingsPerDevice)
        }
        contents.sightings[sighting.device] = kept
      }
    }
  }

  /// Has nothing to wait for.
  public func flush() {}

  /// The last sighting of each device that was heard.
  public func lastSightings() -> [DeviceUUID: Sighting] {
    contents.withLock { contents in
      contents.sightings.compactMapValues { $0.max { $0.receivedAt < $1.receivedAt } }
    }
  }

  /// The sightings of a device from one time to another, the latter not included; oldest first.
  public func sightings(
    of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp
  ) -> [Sighting] {
    let kept = contents.withLock { $0.sightings[uuid, default: []].suffix(sightingsPerDevice) }
    return kept.filter { start <= $0.receivedAt && $0.receivedAt < end }
      .sorted { $0.receivedAt < $1.receivedAt }
  }

  /// Identifiers that were derived before.
  public func derivations(for key: DerivationKey) -> [UInt8]? {
    contents.withLock { $0.derivations[key] }
  }

  /// Keeps derived identifiers of a device that is known.
  public func saveDerivations(_ bytes: [UInt8], for key: DerivationKey) {
    contents.withLock { if $0.knows(key.device) { $0.derivations[key] = bytes } }
  }

  /// Drops the derivations of a device that end before a period.
  public func dropDerivations(of uuid: DeviceUUID, before period: UInt32) {
    contents.withLock { contents in
      contents.derivations = contents.derivations.filter {
        $0.key.device != uuid || $0.key.periods.last >= period
      }
    }
  }

  /// The onboardings whose end is not known, in the order in which they were added.
  public func pendingOnboardings() -> [PendingOnboarding] { contents.withLock { $0.pending } }

  /// Adds one.
  public func addPending(_ pending: PendingOnboarding) throws(DeviceStoreError) {
    try contents.withLock { contents throws(DeviceStoreError) in
      let uuid = pending.device.uuid
      guard !contents.knows(uuid) else { throw .takenUUID(uuid) }
      contents.pending.removeAll { $0.device.uuid == uuid }
      contents.pending.append(pending)
    }
  }

  /// Makes a device of one.
  ///
  /// - Returns: the device; nil when there is no such record.
  public func promotePending(_ uuid: DeviceUUID, name: String?) -> Device? {
    defer { rope.pull() }
    return contents.withLock { contents in
      guard let index = contents.pending.firstIndex(where: { $0.device.uuid == uuid }) else {
        return nil
      }
      var device = contents.pending.remove(at: index).device
      if let name { device.name = name }
      InMemoryDeviceStore.put([device], into: &contents)
      return device
    }
  }

  /// Removes one.
  ///
  /// - Returns: false when there is no such record.
  @discardableResult
  public func discardPending(_ uuid: DeviceUUID) -> Bool {
    contents.withLock { contents in
      let count = contents.pending.count
      contents.pending.removeAll { $0.device.uuid == uuid }
      if contents.pending.count < count { contents.counters[uuid] = nil }
      return contents.pending.count < count
    }
  }
}
