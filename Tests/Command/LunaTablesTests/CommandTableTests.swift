import Bluetooth
import LunaCore
import LunaDocuments
import LunaOwner
import LunaProtocol
import TerminalTable
import Testing

@testable import LunaTables

@Suite struct CommandTableTests {
  private static let start = Timestamp(microseconds: 1_795_255_200_000_000)

  private static func words(
    _ state: CommandStatus.State, cancelled: Bool = false, offered: Bool = false
  ) -> [String] {
    let later = Timestamp(microseconds: start.microseconds + 90_000_000)
    let status = CommandStatus(
      requestID: "r", state: state, createdAt: start,
      expiresAt: Timestamp(microseconds: start.microseconds + 3_600_000_000),
      offeredUntil: offered ? later : nil, cancelledAt: cancelled ? later : nil)
    return CommandTable(
      [ListedCommand(device: nil, status: status)], clock: ClockText(UTCZone())
    ).rows[0]
  }

  /// At 40 columns no line is broken, and what became of it stays.
  @Test(arguments: [CommandStatus.State.queued, .offered, .confirmed, .cancelled])
  func fitsANarrowTerminal(_ state: CommandStatus.State) {
    let row = Self.words(state, cancelled: true, offered: true)
    let heads = CommandTable([], clock: ClockText(UTCZone())).heads
    let columns = ColumnTable(heads, for: [row], width: 40)
    #expect(columns.head.hasPrefix("MADE (UTC)") && columns.head.contains("STATE"))
    #expect(columns.line(row).count <= 40, "\(columns.line(row))")
  }

  @Test func saysWhatBecameOfEach() {
    #expect(
      Self.words(.queued) == [
        "2026-11-21 10:00:00", "not known here", "waits for a gateway", "2026-11-21 11:00:00", "r",
      ])
    #expect(
      Self.words(.cancelled, cancelled: true, offered: true)[2...3] == [
        "called off, a gateway has it", "2026-11-21 10:01:30",
      ])
    #expect(Self.words(.cancelled, cancelled: true)[2] == "called off")
    #expect(Self.words(.confirmed, cancelled: true)[2] == "delivered, though called off")
    #expect(
      [.offered, .confirmed, .failed, .expired].map { Self.words($0)[2] } == [
        "a gateway has it", "delivered", "failed", "expired",
      ])
  }
}
