public import Bluetooth
import Diagnosis
public import LunaCore
import LunaCrypto
public import LunaProtocol

/// What the owner of trackers can do with the keys: keep the list of devices, bring it from one place
/// to another, and make control packages; with a backend also read what finders reported, and have
/// commands delivered.
public final class LunaOwner: PackageProvider {
  /// The most packages that are made because a clock is not well known: 30 days to both sides.
  static let surplusLimit = 2 * 30 * 86_400_000 / Int(Period.milliseconds)

  let store: any DeviceStore
  let ppm: Int64
  let backend: (any OwnerBackend)?
  let clock: WallClock
  let follower = CommandFollower()

  /// An owner of the devices in a store.
  ///
  /// - Parameters:
  ///   - backend: where finders bring what they report, and take commands from; nil for who needs
  ///     neither.
  ///   - ppm: the bound of the trackers' oscillator error, parts per million.
  ///   - clock: what pauses are measured with.
  public init(
    store: any DeviceStore, backend: (any OwnerBackend)? = nil,
    ppm: Int64 = ClockInterval.defaultPPM, clock: WallClock = .system
  ) {
    self.store = store
    self.backend = backend
    self.ppm = ppm
    self.clock = clock
  }

  /// All devices, in the order in which they were added.
  public func allDevices() async throws(DeviceStoreError) -> [Device] {
    try await store.allDevices()
  }

  /// Removes a device and all that was kept about it. Without a copy of its key its locations can
  /// never be read again.
  ///
  /// - Returns: false when it is not among the devices.
  @discardableResult
  public func forgetDevice(_ device: Device) async throws(DeviceStoreError) -> Bool {
    try await store.forget(device.uuid)
  }

  /// Gives a device another name.
  ///
  /// - Returns: false when it is not among the devices.
  @discardableResult
  public func renameDevice(
    _ device: Device, to name: String
  ) async throws(DeviceStoreError) -> Bool {
    try await store.rename(device.uuid, to: name)
  }

  /// The device that a person means: by uuid, by the beginning of one, or by name.
  ///
  /// - Throws: ``OwnerError`` when there is none, or several.
  public func device(matching text: String) async throws -> Device {
    try DeviceMatch.find(text, in: try await store.allDevices())
  }

  /// All devices with their keys, as ``LunaCore/DeviceFile`` writes them.
  public func exportDevices() async throws(DeviceStoreError) -> String {
    DeviceFile.encode(try await store.allDevices())
  }

  /// Adds the devices of a file: one that ``exportDevices()`` wrote, or one of those that
  /// ``ImportFile`` knows. All are added or, with an error, none.
  ///
  /// A device that is there already gets the name of the file, and keeps its own where the file has none.
  ///
  /// - Parameter alignment: as for ``ImportFile/devices(_:alignment:)``.
  /// - Throws: ``LunaCore/DeviceFileError`` when the file is wrong, or a device has the key or
  ///   the uuid of another one that is there; ``LunaCore/DeviceStoreError``.
  /// - Returns: the devices of the file.
  public func importDevices(
    _ bytes: [UInt8], alignment: [UInt8]? = nil
  ) async throws -> [Device] {
    var devices = try ImportFile.devices(bytes, alignment: alignment)
    let present = try await store.allDevices()
    let byUUID = Dictionary(present.map { ($0.uuid, $0) }) { $1 }
    for (index, device) in devices.enumerated() {
      guard let other = byUUID[device.uuid], !other.keys.hasSameIdentity(as: device.keys) else {
        continue
      }
      throw DeviceFileError(
        "it has the uuid of \(other.name) but a different key",
        entry: "entry \(index + 1) (\(device.name))",
        remedy:
          "if it replaces that one, forget that one first: \(.forgettingDevice("\(device.uuid)"))")
    }
    // A key that another device has: those of the file without those that they replace.
    let uuids = Set(devices.map(\.uuid))
    try DeviceFile.refuseTwins(devices, besides: present.filter { !uuids.contains($0.uuid) })
    for index in devices.indices where !devices[index].isNamed {
      if let other = byUUID[devices[index].uuid] { devices[index].name = other.name }
    }
    try await store.put(devices)
    return devices
  }

  /// Packages that anyone can deliver, one for each period that the tracker may show within a time
  /// (PROTOCOL.md, 12.1): 85 to 87 for a day when its clock is well known, more when it was not heard
  /// for long. One of them is executed; packages of earlier commands that were not delivered are not
  /// any more.
  ///
  /// - Parameters:
  ///   - argument: seconds for `buzzStart` and `blink` (0 to 60; 0 is 12), else 0.
  ///   - start: from when they are good; also the time of the counter.
  ///   - duration: for how long, at most 366 days.
  /// - Throws: ``OwnerError``, ``DeviceStoreError``.
  public func deferredPackages(
    _ command: ControlCommand, argument: UInt16, for uuid: DeviceUUID, from start: Timestamp,
    lasting duration: Duration
  ) async throws -> [ControlPackage] {
    try await deferredPackages(
      command, argument: argument, for: uuid, from: start, lasting: duration, counterOf: start)
  }

  /// The same for a time that is yet to come: with a counter of that time none before it would be left for other
  /// commands.
  ///
  /// - Parameter time: the time of the counter.
  package func deferredPackages(
    _ command: ControlCommand, argument: UInt16, for uuid: DeviceUUID, from start: Timestamp,
    lasting duration: Duration, counterOf time: Timestamp
  ) async throws -> [ControlPackage] {
    guard command.isAllowed(in: .deferred, argument: argument) else {
      throw OwnerError.command(command, argument, .deferred)
    }
    let milliseconds = duration.components.seconds.multipliedReportingOverflow(by: 1000)
    guard !milliseconds.overflow, 0 < duration.components.seconds,
      milliseconds.partialValue <= QueryRange.longest
    else { throw OwnerError.duration }
    let device = try await device(uuid)
    if let shared = device.shared {
      return try await ringPackages(command, of: device, shared, from: start)
    }
    let keys = try keys(of: device)
    let begin = start.unixMilliseconds
    let periods = try await periods(
      of: device, from: start, to: Timestamp(unixMilliseconds: begin + milliseconds.partialValue))
    let surplus = periods.count - Int(milliseconds.partialValue / Period.milliseconds)
    guard surplus <= LunaOwner.surplusLimit else { throw OwnerError.clock(device) }
    let counter = try await store.issueControlCounter(
      for: uuid, unixTime: UInt32(clamping: time.unixMilliseconds / 1000))
    var authenticator = try ControlAuthenticator()
    return try authenticator.deferredPackages(
      command, argument: argument, counter: counter, periods: periods, keys: keys)
  }

  /// A package for the connection on which a challenge was read.
  ///
  /// - Parameter time: the owner's time, which `setClock` sets.
  /// - Throws: ``OwnerError``, ``DeviceStoreError``.
  public func interactivePackage(
    _ command: ControlCommand, argument: UInt16, for uuid: DeviceUUID,
    challenge: ControlChallenge, at time: Timestamp
  ) async throws -> ControlPackage {
    guard command.isAllowed(in: .interactive, argument: argument) else {
      throw OwnerError.command(command, argument, .interactive)
    }
    let keys = try await keys(of: uuid)
    let seconds = UInt32(clamping: time.unixMilliseconds / 1000)
    let counter = try await store.issueControlCounter(for: uuid, unixTime: seconds)
    guard command != .setClock || counter == seconds else { throw OwnerError.counterAhead(counter) }
    var authenticator = try ControlAuthenticator()
    return try authenticator.interactivePackage(
      command, argument: argument, counter: counter, challenge: challenge, keys: keys)
  }

  /// The periods that a tracker may show at some moment between two times (PROTOCOL.md, 11.2).
  ///
  /// - Throws: `DeviceStoreError`.
  public func periods(
    of device: Device, from start: Timestamp, to end: Timestamp
  ) async throws(DeviceStoreError) -> PeriodRange {
    try await clock(of: device).periods(
      from: start.unixMilliseconds, to: end.unixMilliseconds, ppm: ppm)
  }

  func device(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Device {
    guard let device = try await store.allDevices().first(where: { $0.uuid == uuid }) else {
      throw DeviceStoreError.unknownDevice(uuid)
    }
    return device
  }

  func keys(of uuid: DeviceUUID) async throws -> TrackerKeys {
    try keys(of: try await device(uuid))
  }

  func keys(of device: Device) throws -> TrackerKeys {
    guard let masterKey = device.masterKey else { throw OwnerError.foreign(device) }
    var schedule = try KeySchedule()
    return schedule.keys(of: masterKey)
  }

  /// What is known of a tracker's clock: what hearing it has taught, or else what onboarding left.
  func clock(of device: Device) async throws(DeviceStoreError) -> ClockInterval {
    try await store.clockStates()[device.uuid]?.interval
      ?? ClockInterval(onboardingTimestamp: device.onboardingSeconds)
  }
}
