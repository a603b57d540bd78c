import FileOutput
public import LunaFinder

extension GatewayBattery {
  /// Where the kernel tells of power supplies.
  public static let directory = "/sys/class/power_supply"

  /// The first battery that powers the machine itself, and not a mouse; nil where there is none. Reads files.
  public init?(in directory: String = directory) {
    guard let found = GatewayBattery.find(in: directory) else { return nil }
    self = found
  }

  private static func find(in directory: String) -> GatewayBattery? {
    for name in (Directory.names(in: directory) ?? []).sorted() {
      func read(_ file: String) -> String? { KernelFile.line("\(directory)/\(name)/\(file)") }
      guard read("type") == "Battery", read("scope") != "Device",
        let percent = read("capacity").flatMap({ Int($0) }), 0...100 ~= percent
      else { continue }
      return GatewayBattery(
        level: Double(percent) / 100, state: GatewayBattery.state(read("status")))
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
}
