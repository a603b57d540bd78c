/// What connects an adapter to the machine.
public enum AdapterBus: String, Sendable {
  /// USB.
  case usb
  /// A serial line on the board.
  case uart
  /// SDIO.
  case sdio
  /// PCI or PCI Express.
  case pci
  /// No hardware: made by software.
  case virtual
  /// Something else.
  case other
}
