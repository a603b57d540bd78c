import Bluetooth
import HCIHost

extension HCIScanner.Settings {
  /// What a person asked for, with a random static address for this scan.
  init(_ options: ScanOptions) {
    self.init(
      isActive: options.mode != .passive, phys: options.phys,
      randomAddress: BluetoothAddress(value: .random(in: 0..<1 << 46) | 0b11 << 46))
  }
}
