/// A store that says in little time whether its devices are still those that were read.
package protocol DeviceDigests: DeviceStore {
  /// A number for all that `allDevices` and `sharedStatus` say, of this process alone: while it stays the same, so do they.
  ///
  /// - Returns: nil when it is not known.
  func deviceDigest() async throws(DeviceStoreError) -> Int?
}
