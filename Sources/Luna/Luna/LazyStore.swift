import EventLoop
import LunaCore
import LunaStore
import Synchronization

/// The devices on disk, opened when they are needed: what is wrong with them is told then, and it is
/// tried again the next time.
final class LazyStore: ForwardingStore, DeviceDigests {
  private let settings: LunaSettings
  private let file: DevicesFile
  private let opening = Blocking(name: "luna.store-opening")
  private let store = Mutex<(name: String, store: SQLiteDeviceStore)?>(nil)

  init(_ settings: LunaSettings, _ file: DevicesFile) {
    self.settings = settings
    self.file = file
  }

  func opened() async throws(DeviceStoreError) -> any DeviceStore {
    let name = file.name
    if let store = known(name) { return store }
    return try await opening.run { () throws(DeviceStoreError) in
      // Who was first has opened it.
      if let store = self.known(name) { return store }
      let new = try self.settings.openStore(name)
      self.store.withLock { $0 = (name, new) }
      return new
    }
  }

  func deviceDigest() async throws(DeviceStoreError) -> Int? {
    try await (opened() as? any DeviceDigests)?.deviceDigest()
  }

  private func known(_ name: String) -> SQLiteDeviceStore? {
    store.withLock { $0?.name == name ? $0?.store : nil }
  }
}
