package import Bluetooth
package import LunaCore
package import LunaProtocol

extension LunaOwner {
  /// Fetches and opens what finders reported of a tracker on the last day on which one that can be true was. The
  /// backend is asked for one day after the other, the newest first, and no further: most trackers were heard today.
  ///
  /// - Parameters:
  ///   - end: until when, not included.
  ///   - days: how many days are asked for at most, those of UTC, as reports are filed under; the first is that of `end`.
  /// - Returns: the events of that day, oldest first; none where there was no such day.
  /// - Throws: as ``findEvents(device:dateFrom:dateTo:)``.
  package func newestEvents(
    of device: Device, before end: Timestamp, days: Int32 = 7
  ) async throws -> [Event] {
    let last = Day(Timestamp(microseconds: end.microseconds - 1))
    for back in 0..<days {
      let day = last + -back
      let start = Self.beginning(of: day)
      let stop = min(end, Self.beginning(of: day + 1))
      // What began less than a millisecond ago has no events yet.
      guard start.unixMilliseconds < stop.unixMilliseconds else { continue }
      let found = try await findEvents(device: device, dateFrom: start, dateTo: stop)
      if found.events.contains(where: \.isPlausible) { return found.events }
    }
    return []
  }

  /// The same of several devices. The client of one owner makes a request after the other: of several owners of the
  /// same store each asks for a share of the devices, at the same time.
  ///
  /// - Returns: nothing of a device that cannot be asked for: of another maker, or shared until a time that is over.
  package static func newestEvents(
    of devices: [Device], by owners: [LunaOwner], before end: Timestamp
  ) async throws -> [DeviceUUID: [Event]] {
    try await withThrowingTaskGroup(
      of: [DeviceUUID: [Event]].self, returning: [DeviceUUID: [Event]].self
    ) { group in
      for (place, owner) in owners.enumerated() {
        let share = stride(from: place, to: devices.count, by: owners.count).map { devices[$0] }
        group.addTask { try await owner.newestEvents(ofEach: share, before: end) }
      }
      var found: [DeviceUUID: [Event]] = [:]
      for try await events in group { found.merge(events) { first, _ in first } }
      return found
    }
  }

  private func newestEvents(
    ofEach devices: [Device], before end: Timestamp
  ) async throws -> [DeviceUUID: [Event]] {
    var found: [DeviceUUID: [Event]] = [:]
    for device in devices {
      do {
        found[device.uuid] = try await newestEvents(of: device, before: end)
      } catch let error as OwnerError where error.kind == .foreignDevice {
        continue
      }
    }
    return found
  }

  private static func beginning(of day: Day) -> Timestamp {
    Timestamp(unixMilliseconds: Int64(day.number) * 86_400_000)
  }
}
