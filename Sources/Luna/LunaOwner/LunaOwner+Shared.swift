public import Bluetooth
import LunaCore
import LunaCrypto
public import LunaProtocol

// What can be done with a tracker that somebody else has shared, and what its owner does meanwhile
// (SHARING.md, 1).

extension LunaOwner {
  /// For so many periods after the present one a ring is left at a backend.
  private static let laterPeriods: UInt32 = 5
  /// The most periods that may be the present one, where its clock is hardly known.
  private static let presentPeriods: UInt32 = 16

  /// How often a command that a ring has made stale is made anew.
  static let reissueLimit = 3

  /// Raises the counter of one's own packages above all rings that somebody with whom the tracker is
  /// shared can deliver in the period of its clock, and in the one after that.
  public func prepareAgain(
    for device: DeviceUUID, trackerTime: UInt32, at time: Timestamp
  ) async throws -> Bool {
    // The next counter is a higher one.
    let floor = min(
      1024 * (UInt64(trackerTime) / 1024 + 2) - 1, UInt64(ControlCounter.largest) - 1)
    _ = try await store.issueControlCounter(
      for: device, unixTime: UInt32(clamping: time.unixMilliseconds / 1000), floor: UInt32(floor))
    return true
  }

  /// The packages that ring a tracker that somebody else shares, and that is heard: also in the period that it shows,
  /// whatever is known of its clock, which its owner may have set anew.
  ///
  /// - Parameter shown: the period that it shows; nil where that is not known.
  /// - Throws: ``OwnerError`` where it cannot be rung; `DeviceStoreError`.
  package func ringPackages(
    _ command: ControlCommand, for uuid: DeviceUUID, showing shown: UInt32?, from start: Timestamp
  ) async throws -> [ControlPackage] {
    let device = try await device(uuid)
    guard let shared = device.shared else { throw OwnerError.notShared(device) }
    return try await ringPackages(command, of: device, shared, from: start, showing: shown)
  }

  /// The packages that ring it now, in the periods that it may show, and in the next ones. They are the
  /// owner's: no receipt of them can be verified here.
  func ringPackages(
    _ command: ControlCommand, of device: Device, _ shared: SharedPeriods, from start: Timestamp,
    showing shown: UInt32? = nil
  ) async throws -> [ControlPackage] {
    guard shared.isLive(at: start.unixMilliseconds) else { throw OwnerError.ended(device) }
    guard command == .buzzStart, shared.rights.ring != nil else {
      throw OwnerError.notShared(device)
    }
    var present = try await periods(of: device, from: start, to: start)
    if present.isEmpty || present.last - present.first >= LunaOwner.presentPeriods {
      guard let shown else { throw OwnerError.clock(device) }
      present = PeriodRange(first: shown, last: shown)
    }
    var heids = try ReportKeyDeriver()
    var packages = LunaOwner.rings(present, shared, start, &heids)
    if let shown, !present.contains(shown) {
      let range = PeriodRange(first: shown, last: shown)
      let near = LunaOwner.rings(range, shared, start, &heids)
      packages = near + packages.filter { !near.contains($0) }
    }
    guard !packages.isEmpty else { throw OwnerError.ended(device) }
    return packages
  }

  private static func rings(
    _ present: PeriodRange, _ shared: SharedPeriods, _ start: Timestamp,
    _ heids: inout ReportKeyDeriver
  ) -> [ControlPackage] {
    let last = min(
      present.last.addingReportingOverflow(LunaOwner.laterPeriods).partialValue,
      shared.periods.last)
    let first = max(present.first, shared.periods.first)
    guard first <= last else { return [] }
    var packages: [ControlPackage] = []
    for period in first...last {
      let seconds = start.unixMilliseconds / 1000
      if let package = shared.ringPackage(period, at: seconds, heids: &heids) {
        packages.append(package)
      }
    }
    return packages
  }
}
