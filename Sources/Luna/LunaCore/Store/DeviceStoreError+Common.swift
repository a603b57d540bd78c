import Diagnosis
public import LunaProtocol

extension DeviceStoreError {
  /// A request about a device that is not in the store.
  public static func unknownDevice(_ uuid: DeviceUUID) -> DeviceStoreError {
    DeviceStoreError(.unknownDevice, "no device has the uuid \(uuid)")
  }

  /// The counters of control packages for a device are used up.
  public static func exhaustedCounter(_ uuid: DeviceUUID) -> DeviceStoreError {
    DeviceStoreError(
      .exhausted, "all counters of control packages for \(uuid) have been given",
      remedy: "reset the tracker and onboard it again")
  }

  /// A tracker calls itself as another one does.
  public static func takenUUID(_ uuid: DeviceUUID) -> DeviceStoreError {
    DeviceStoreError(
      .failed, "a device with the uuid \(uuid) is there already",
      remedy: "trackers draw their uuid: this one may pretend to be the other")
  }
}
