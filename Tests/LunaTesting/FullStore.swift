public import LunaCore
public import LunaProtocol
import Synchronization

/// A store in memory that refuses some of what it is to keep, as on a disk that is full.
public final class FullStore: ForwardingStore {
  /// What can be refused.
  public enum Part: Sendable {
    /// A device whose onboarding has not ended.
    case pending
    /// To make a device of it.
    case promotion
    /// What was heard of clocks.
    case clocks
  }

  private static let full = DeviceStoreError(.full, "the disk is full")

  private let inner: InMemoryDeviceStore
  private let refused: Mutex<Part?>

  /// A store with some devices that refuses one thing.
  public init(_ devices: [Device] = [], refusing part: Part) {
    inner = InMemoryDeviceStore(devices: devices)
    refused = Mutex(part)
  }

  /// From now on it refuses something else; nil for nothing.
  public func refuse(_ part: Part?) { refused.withLock { $0 = part } }

  private func check(_ part: Part) throws(DeviceStoreError) {
    if refused.withLock({ $0 == part }) { throw FullStore.full }
  }

  /// What keeps the rest.
  public func opened() -> any DeviceStore { inner }

  /// Unless it refuses that.
  public func addPending(_ pending: PendingOnboarding) async throws(DeviceStoreError) {
    try check(.pending)
    try inner.addPending(pending)
  }

  /// Unless it refuses that.
  public func promotePending(
    _ uuid: DeviceUUID, name: String?
  ) async throws(DeviceStoreError) -> Device? {
    try check(.promotion)
    return inner.promotePending(uuid, name: name)
  }

  /// Unless it refuses that.
  public func save(_ states: [DeviceUUID: ClockState]) async throws(DeviceStoreError) {
    try check(.clocks)
    inner.save(states)
  }
}
