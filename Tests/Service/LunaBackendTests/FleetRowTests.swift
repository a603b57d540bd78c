import LunaFleet
import Testing

@testable import LunaBackend

@Suite struct FleetRowTests {
  /// It counts on from there, and a difference of two is a number.
  @Test(arguments: [Int64.min, -1, .max])
  func aDamagedRevisionHasSuccessors(stored: Int64) throws {
    let gateway = try FleetRow.gateway(
      StorageRow([
        .text("0bb08a616cedf90d"), .text("attic"), .integer(stored), .text("{}"), .text("{}"),
        .null, .null, .null, .integer(0), .null, .null,
      ]))
    let device = try FleetRow.device(
      StorageRow([
        .text("0bb08a616cedf90d"), .text("0000000000000005"), .text("airtag"), .integer(0),
        .integer(0), .integer(1), .text("near"), .text("{}"), .integer(stored), .null,
      ]))
    for revision in [gateway.revision, device.revision] {
      #expect(revision >= 0 && revision < .max)
    }
  }
}
