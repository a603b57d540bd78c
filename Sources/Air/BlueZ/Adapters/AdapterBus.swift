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

  /// The bus by the kernel's code.
  init(kernelCode: UInt8) {
    switch kernelCode {
    case 0: self = .virtual
    case 1: self = .usb
    case 3: self = .uart
    case 5: self = .pci
    case 6: self = .sdio
    default: self = .other
    }
  }
}
