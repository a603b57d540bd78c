import Bluetooth
import LunaCore
import LunaProtocol
import Synchronization

/// A store of one's own: clocks in memory, sightings counted. A gateway with a database of its own
/// would keep both there.
final class GatewayStore: DeviceStore {
  private struct Contents {
    var devices: [Device]
    var clocks: [DeviceUUID: ClockState] = [:]
    var last: [DeviceUUID: Sighting] = [:]
    var counters: [DeviceUUID: UInt32] = [:]
  }

  private let contents: Mutex<Contents>

  init(_ devices: [Device]) { contents = Mutex(Contents(devices: devices)) }

  func allDevices() -> [Device] { contents.withLock { $0.devices } }

  func put(_ devices: [Device]) {
    contents.withLock { contents in
      for device in devices {
        contents.devices.removeAll { $0.uuid == device.uuid }
        contents.devices.append(device)
      }
    }
  }

  func rename(_ uuid: DeviceUUID, to name: String) -> Bool {
    contents.withLock { contents in
      guard let index = contents.devices.firstIndex(where: { $0.uuid == uuid }) else {
        return false
      }
      contents.devices[index].name = name
      return true
    }
  }

  func forget(_ uuid: DeviceUUID) -> Bool {
    contents.withLock { contents in
      let count = contents.devices.count
      contents.devices.removeAll { $0.uuid == uuid }
      contents.clocks[uuid] = nil
      return contents.devices.count < count
    }
  }

  func clockStates() -> [DeviceUUID: ClockState] { contents.withLock { $0.clocks } }

  func save(_ states: [DeviceUUID: ClockState]) {
    contents.withLock { $0.clocks.merge(states) { $1 } }
  }

  func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32
  ) throws(DeviceStoreError) -> UInt32 {
    try contents.withLock { contents throws(DeviceStoreError) in
      let last = contents.counters[uuid] ?? 0
      guard let next = ControlCounter.next(after: last, unixTime: unixTime) else {
        throw .exhaustedCounter(uuid)
      }
      contents.counters[uuid] = next
      return next
    }
  }

  func record(_ sightings: [Sighting]) {
    contents.withLock { contents in
      for sighting in sightings { contents.last[sighting.device] = sighting }
    }
  }

  func flush() {}

  func lastSightings() -> [DeviceUUID: Sighting] { contents.withLock { $0.last } }

  func sightings(of uuid: DeviceUUID, from start: Timestamp, to end: Timestamp) -> [Sighting] {
    let last = contents.withLock { $0.last[uuid] }
    return last.map { start <= $0.receivedAt && $0.receivedAt < end ? [$0] : [] } ?? []
  }
}
