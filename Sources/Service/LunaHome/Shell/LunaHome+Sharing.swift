import Bluetooth
package import Luna
import LunaCore
import LunaLocal
import LunaStore

// Trackers that are given to other people for a time, and theirs that are given to this home.

extension LunaHome {
  /// What makes shares of this home's trackers and takes those of others.
  ///
  /// - Throws: ``HomeError`` of kind `action` where its program keeps devices in a store of its own;
  ///   `DeviceStoreError`.
  package func sharing() async throws -> TrackerSharing {
    guard let store = try await luna.devicesOnDisk() else {
      throw HomeError(.action, "the program of this home keeps no contact cards")
    }
    return TrackerSharing(
      store: store, owner: luna.owner(), backend: luna.settings.backend ?? "")
  }

  /// Listens anew: what is listened for begins with the keys as they are kept now. To be called after keys were
  /// replaced or removed, and when the status of a tracker was shared; new ones are found without it.
  package func listenAnew() async {
    guard isRunning, !isLocked else { return }
    isListeningAnew = true
    await luna.local().stop()
  }

  /// Removes the keys of shares that are over.
  func wipeEndedShares() async {
    do {
      guard let store = try await luna.devicesOnDisk(),
        try await store.wipeEndedShares(at: clock.now().unixMilliseconds / 1000) > 0
      else { return }
      try await reload()
      await listenAnew()
    } catch {
      logger.log(.ERROR, "what others have shared cannot be removed: \(error)")
    }
  }
}
