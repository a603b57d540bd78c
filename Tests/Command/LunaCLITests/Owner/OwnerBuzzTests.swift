import Bluetooth
import LunaCore
import Testing

@testable import LunaCLI

struct OwnerBuzzTests {
  /// People read times on their clocks, and which these are.
  @Test func tellsOnWhichClocksATimeIs() throws {
    let noon = try #require(Timestamp(rfc3339: "2026-11-26T12:00:00Z"))
    var command = OwnerBuzzCommand()
    command.zone.isUTC = true
    let status = CommandStatus(
      requestID: "1", state: .cancelled, createdAt: noon, expiresAt: noon, offeredUntil: noon,
      cancelledAt: noon)
    #expect(
      command.cancellation(of: status)
        == "called off; a gateway has it already, and may still ring it until "
        + "2026-11-26 12:00:00 (UTC)")
  }
}
