public import Bluetooth
import EventLoop

/// A Bluetooth adapter of this machine. What could not be found out is nil.
public struct Adapter: Hashable, Sendable {
  /// N of hciN.
  public var index: UInt16
  /// The identity address; nil when it has none, or while it is in exclusive use.
  public var address: BluetoothAddress?
  /// The name that it shows to others.
  public var alias: String?
  /// What connects it.
  public var bus: AdapterBus?
  /// The kernel driver: `btusb`, `hci_uart_bcm`.
  public var driver: String?
  /// The manufacturer's company identifier.
  public var manufacturer: UInt16?
  /// The HCI version as HCI codes it: 6 is 4.0, 12 is 5.3.
  public var hciVersion: UInt8?
  /// Whether it can be used.
  public var state: AdapterState
  /// What it can do.
  public var features: AdapterFeatures
  /// Whether a discovery runs.
  public var isDiscovering: Bool?
  /// The programs that use it, as far as this process may see them: `bluetoothd`, or those that
  /// may have taken it for themselves: `btmon (312)`.
  public var users: [String]

  /// `hciN`.
  public var name: String { "hci\(index)" }

  /// An adapter of which only the number and the state are known.
  public init(index: UInt16, state: AdapterState) {
    self.index = index
    self.state = state
    self.features = []
    self.users = []
  }

  /// The adapters of this machine, by number. An empty list when there is none and Bluetooth works
  /// otherwise.
  ///
  /// - Throws: ``Bluetooth/SourceError`` of kind `noAdapter` when neither the kernel nor
  ///   bluetoothd can be asked.
  public static func list() async throws(SourceError) -> [Adapter] {
    try await AdapterInventory(reactor: .shared, host: LinuxHost()).adapters()
  }
}
