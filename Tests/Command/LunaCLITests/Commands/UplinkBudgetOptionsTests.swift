import CommandSpec
import SystemBus
import Testing

@testable import LunaCLI

/// How much data a check may use, as it is given.
struct UplinkBudgetOptionsTests {
  @Test(arguments: [
    ("7", 7), ("500k", 500_000), ("500 kB", 500_000), ("100M", 100_000_000),
    ("100 MB", 100_000_000), ("1G", 1_000_000_000), ("0", 0),
  ])
  func readsSizes(text: String, bytes: Int) throws {
    #expect(try UplinkBudgetOptions.size.read(text) == Int64(bytes))
  }

  @Test(arguments: ["", "M", "-1", "1.5G", "1T", "1 M B x", "1001G", "9999999999"])
  func refusesOthers(text: String) {
    #expect(throws: ValueProblem.self) { try UplinkBudgetOptions.size.read(text) }
  }

  @Test func mobileLinksAreMetered() {
    var options = UplinkBudgetOptions()
    #expect(options.isMetered("mobile", isCounted: false))
    #expect(!options.isMetered("wifi", isCounted: false))
    #expect(options.isMetered("wifi", isCounted: true))
    #expect(!options.isMetered(nil, isCounted: false))
    options.metering = .yes
    #expect(options.isMetered("ethernet", isCounted: false))
    options.metering = .no
    #expect(!options.isMetered("mobile", isCounted: true))
  }

  @Test(arguments: [(0, false), (1, true), (2, false), (3, true), (4, false)])
  func asNetworkManagerSays(_ number: UInt32, _ isCounted: Bool) {
    #expect(MeteredLink.isCounted(.uint32(number)) == isCounted)
    #expect(!MeteredLink.isCounted(.string("1")) && !MeteredLink.isCounted(nil))
  }
}
