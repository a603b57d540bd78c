import Bluetooth
import Foundation
import LunaTesting
import Testing

@Suite("Assigned numbers")
struct NumbersTests {
  @Test(
    "Company names, the first, the last and some between",
    arguments: [
      (0x0000, "Ericsson AB"), (0x0001, "Nokia Mobile Phones"), (0x0006, "Microsoft"),
      (0x004C, "Apple, Inc."), (0x0059, "Nordic Semiconductor ASA"), (0x067C, "Tile, Inc."),
      (0x00E0, "Google"), (0x0225, "Nestlé Nespresso S.A."),
    ] as [(UInt16, String)])
  func company(number: UInt16, name: String) {
    #expect(CompanyIdentifier(number).name == name)
  }

  @Test("Every company of the data file has its name, and the other numbers have none")
  func allCompanies() throws {
    struct Entry: Decodable {
      let code: Int
      let name: String
    }
    let entries = try JSONDecoder().decode([Entry].self, from: data("company_ids.json"))
    #expect(entries.count > 3000)
    var names: [UInt16: String] = [:]
    for entry in entries {
      names[UInt16(entry.code)] = entry.name.split { $0.isWhitespace }.joined(separator: " ")
    }
    // Who has no company says so with it.
    names[0xFFFF] = "internal use"
    for number in UInt16.min...UInt16.max {
      let name = CompanyIdentifier(number).name
      if name != names[number] {
        Issue.record("\(number): \(name ?? "none") is not \(names[number] ?? "none")")
      }
    }
  }

  @Test(
    "Service names",
    arguments: [
      ("1800", "Generic Access"), ("1804", "Tx Power"), ("FEAA", "Eddystone"),
      ("0000180F-0000-1000-8000-00805F9B34FB", "Battery Service"),
      ("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "Nordic UART Service"), ("FFFF", nil),
      ("0000", nil), ("00000000-0000-0000-0000-000000000000", nil),
      ("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", nil),
    ] as [(String, String?)])
  func service(uuid: String, name: String?) throws {
    #expect(try #require(BluetoothUUID(uuid)).serviceName == name)
  }

  @Test(
    "Appearances",
    arguments: [
      (0x0000, "Unknown"), (0x0040, "Phone"), (0x00C0, "Watch"), (0x00C1, "Sports Watch"),
      // Category 8, Tag, with a subcategory that is not assigned.
      (0x023F, "Tag"), (0xFFFF, nil),
    ] as [(UInt16, String?)])
  func appearance(value: UInt16, name: String?) {
    #expect(Appearance(rawValue: value).name == name)
  }

  @Test("AD types: names, none twice, and none for numbers that are not assigned")
  func adTypes() {
    #expect(ADType(rawValue: 0x01).name.map { "\($0)" } == "Flags")
    #expect(
      ADType(rawValue: 0x03).name.map { "\($0)" } == "Complete List of 16-bit Service Class UUIDs")
    #expect(ADType(rawValue: 0xFF).name.map { "\($0)" } == "Manufacturer Specific Data")
    #expect(ADType(rawValue: 0x00).name == nil)
    #expect(ADType(rawValue: 0x33).name == nil)
    let names = (UInt8.min...UInt8.max).compactMap { ADType(rawValue: $0).name.map { "\($0)" } }
    #expect(names.count == 50)
    #expect(Set(names).count == names.count)
  }

  @Test("The tables are what the script makes of the data files")
  func tablesAreFresh() throws {
    let run = try TestProgram.run(
      ["python3", scripts.appending(path: "generate").path, "--check"])
    #expect(run.status == 0, "\(run.errors)")
  }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: scripts.appending(path: name))
  }

  private var scripts: URL {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    return root.appending(path: "scripts/numbers")
  }
}
