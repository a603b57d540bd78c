import Foundation
import Luna
import Testing

/// Batteries as the kernel describes them, in a directory of the test's own.
@Suite struct GatewayBatteryTests {
  private func battery(_ supplies: [String: [String: String]]) throws -> GatewayBattery? {
    let path = NSTemporaryDirectory() + "luna-power-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (name, files) in supplies {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)", withIntermediateDirectories: true)
      for (file, text) in files {
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)/\(file)"))
      }
    }
    return GatewayBattery(in: path)
  }

  @Test func takesTheFirstBatteryOfTheMachine() throws {
    let found = try battery([
      "AC": ["type": "Mains", "online": "1"],
      "A0": ["type": "Battery", "scope": "Device", "capacity": "5", "status": "Discharging"],
      "BAT0": ["type": "Battery", "capacity": "87", "status": "Charging"],
      "BAT1": ["type": "Battery", "capacity": "3", "status": "Discharging"],
    ])
    #expect(found == GatewayBattery(level: 0.87, state: "charging"))
  }

  @Test(arguments: [
    ("Charging", "charging"), ("Discharging", "unplugged"), ("Full", "full"),
    ("Not charging", "full"), ("Unknown", "unknown"), ("", "unknown"),
  ])
  func knowsTheStatesOfTheKernel(_ status: String, _ state: String) throws {
    let found = try battery(["B": ["type": "Battery", "capacity": "50", "status": status]])
    #expect(found?.state == state)
  }

  @Test func makesNothingUp() throws {
    #expect(try battery([:]) == nil)
    #expect(try battery(["B": ["type": "Battery"]]) == nil)
    #expect(try battery(["B": ["type": "Battery", "capacity": "101"]]) == nil)
    #expect(try battery(["B": ["type": "Battery", "capacity": "much"]]) == nil)
    #expect(try battery(["M": ["type": "Mains", "capacity": "50"]]) == nil)
    #expect(GatewayBattery(in: "/dev/null/none") == nil)
  }
}
