import FileOutput
import Glibc

/// The battery of this machine, for the debug fields.
public struct GatewayBattery: Hashable, Sendable {
  /// How full it is, 0 to 1.
  public let level: Double
  /// `charging`, `unplugged`, `full` or `unknown`.
  public let state: String

  /// A battery.
  public init(level: Double, state: String) {
    self.level = level
    self.state = state
  }

  /// Where the kernel tells of power supplies.
  public static let directory = "/sys/class/power_supply"

  /// The first battery that powers the machine itself, and not a mouse; nil where there is none.
  public init?(in directory: String = directory) {
    for name in (Directory.names(in: directory) ?? []).sorted() {
      func read(_ file: String) -> String? {
        GatewayBattery.read("\(directory)/\(name)/\(file)")
      }
      guard read("type") == "Battery", read("scope") != "Device",
        let percent = read("capacity").flatMap({ Int($0) }), 0...100 ~= percent
      else { continue }
      level = Double(percent) / 100
      state = GatewayBattery.state(read("status"))
      return
    }
    return nil
  }

  private static func state(_ status: String?) -> String {
    switch status {
    case "Charging": "charging"
    case "Discharging": "unplugged"
    // On mains, and held below full to spare it.
    case "Full", "Not charging": "full"
    default: "unknown"
    }
  }

  /// A line of the kernel; nil where there is none.
  private static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
