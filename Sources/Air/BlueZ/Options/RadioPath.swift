public import Bluetooth
import Diagnosis
public import HCIHost

/// A way to hear advertisements through an adapter or a controller.
public enum RadioPath: Hashable, Sendable {
  /// The best of `observe`, `mgmt` and `dbus` that this process may use here.
  case auto
  /// Read every HCI event on the kernel's monitor channel while somebody scans.
  case observe
  /// Scan through the kernel's management interface.
  case mgmt
  /// Scan through bluetoothd.
  case dbus
  /// Take the adapter away from the kernel: the HCI user channel.
  case exclusive
  /// Drive an HCI controller behind TCP, a Unix socket or a serial line.
  case h4(H4Address)

  /// Reads `auto`, `observe`, `mgmt`, `dbus`, `exclusive`, `h4:tcp:HOST:PORT` or `h4:PATH`.
  ///
  /// - Throws: ``Bluetooth/SourceError`` of kind `invalid`.
  public init(_ text: String) throws(SourceError) {
    switch text {
    case "auto": self = .auto
    case "observe": self = .observe
    case "mgmt": self = .mgmt
    case "dbus": self = .dbus
    case "exclusive": self = .exclusive
    default:
      guard text.hasPrefix("h4:") else {
        throw SourceError(
          .invalid, "there is no radio path \"\(text)\"",
          remedy: "use auto, observe, mgmt, dbus, exclusive, h4:tcp:HOST:PORT or h4:PATH")
      }
      guard let address = H4Address(String(text.dropFirst(3))) else {
        throw SourceError(
          .invalid, "\"\(text)\" names no controller", remedy: "use h4:tcp:HOST:PORT or h4:PATH")
      }
      self = .h4(address)
    }
  }
}

extension RadioPath: CustomStringConvertible {
  /// The text that `init` reads.
  public var description: String {
    switch self {
    case .auto: "auto"
    case .observe: "observe"
    case .mgmt: "mgmt"
    case .dbus: "dbus"
    case .exclusive: "exclusive"
    case .h4(let address): "h4:\(address)"
    }
  }
}
