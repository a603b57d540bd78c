import Bluetooth

/// An adapter of the ``FakeKernel``.
struct FakeAdapter {
  var address = BluetoothAddress(value: 0xF0F1_F2F3_F410)
  /// LE and power are supported.
  var supported: UInt32 = 1 << 0 | 1 << 9
  /// What is on: LE; power comes and goes.
  var settings: UInt32 = 1 << 9
  var monitors: [UInt16] = []
  var nextMonitor: UInt16 = 1
  var offloadsPatterns = false
  var monitorInterval: UInt16 = 0x0060
  var monitorWindow: UInt16 = 0x0030
  var supportedPHYs: UInt32 = 0x7FFF
  var selectedPHYs: UInt32 = 0x0600
  var isDiscovering = false
  var isBlocked = false
  var connections: UInt16 = 0
  /// The kernel's number of this registration of the adapter.
  var registration: UInt64 = 1

  var isPowered: Bool { settings & 1 != 0 }
}
