import BlueZ
import CommandSpec

/// What `--radio` can name: a path to a real controller, or the simulated room.
enum RadioChoice: Sendable {
  case path(RadioPath)
  case virtual(seed: UInt64)

  /// The words for completions.
  static let words = [
    Choice("auto", "the best that permissions allow"),
    Choice("observe", "the kernel's monitor channel, alongside bluetoothd"),
    Choice("mgmt", "the kernel's management interface"),
    Choice("dbus", "bluetoothd's discovery; needs no privilege"),
    Choice("exclusive", "take the adapter away from all other programs"),
    Choice("h4:", "an HCI controller behind TCP, a socket or a serial line"),
    Choice("virtual", "a simulated room; needs no adapter"),
  ]

  init?(_ text: String) {
    if text == "virtual" {
      self = .virtual(seed: 1)
    } else if text.hasPrefix("virtual:") {
      guard let seed = UInt64(text.dropFirst("virtual:".count)) else { return nil }
      self = .virtual(seed: seed)
    } else if let path = try? RadioPath(text) {
      self = .path(path)
    } else {
      return nil
    }
  }
}
