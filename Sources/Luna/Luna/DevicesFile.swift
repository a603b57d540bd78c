import Synchronization

/// The name of the file of devices: what the configuration of the finder said last
/// (`LunaConfiguration.devicesFilename`).
final class DevicesFile: Sendable {
  private let current: Mutex<String>

  init(_ name: String) { current = Mutex(name) }

  var name: String {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
