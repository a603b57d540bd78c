public import LunaProtocol

extension DeviceStore {
  /// The next counter of control packages for a device, and none below a floor: while somebody else may
  /// ring the tracker, a refused command is made anew above all of those rings (SHARING.md, 1).
  ///
  /// - Parameters:
  ///   - unixTime: the owner's time, Unix s.
  ///   - floor: the least counter.
  public func issueControlCounter(
    for uuid: DeviceUUID, unixTime: UInt32, floor: UInt32
  ) async throws(DeviceStoreError) -> UInt32 {
    try await issueControlCounter(for: uuid, unixTime: max(unixTime, floor))
  }
}
