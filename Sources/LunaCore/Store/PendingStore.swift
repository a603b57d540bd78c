public import LunaProtocol

/// A store that also keeps onboardings whose end is not known. They are protected like devices, and
/// not among them; ``DeviceStore/issueControlCounter(for:unixTime:)`` knows them as well.
public protocol PendingStore: DeviceStore {
  /// The onboardings whose end is not known, in the order in which they were added.
  func pendingOnboardings() async throws(DeviceStoreError) -> [PendingOnboarding]

  /// Adds one. It is on the disk when this returns.
  ///
  /// - Throws: ``DeviceStoreError``; of kind `failed` when a device has that uuid.
  func addPending(_ pending: PendingOnboarding) async throws(DeviceStoreError)

  /// Makes a device of one: all of it or, with an error, nothing.
  ///
  /// - Parameter name: what it is called; nil for the name on record.
  /// - Returns: the device; nil when there is no such record.
  func promotePending(
    _ uuid: DeviceUUID, name: String?
  ) async throws(DeviceStoreError) -> Device?

  /// Removes one.
  ///
  /// - Returns: false when there is no such record.
  @discardableResult
  func discardPending(_ uuid: DeviceUUID) async throws(DeviceStoreError) -> Bool
}
