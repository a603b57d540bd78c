import Testing

@testable import LunaTables

@Suite struct PairLinesTests {
  private static let rows = [
    ["waiting", "0 of 100000 events"],
    ["lost", "45 (the queue was full), since 2026-11-21 09:00:00 (local), last 60 s ago"],
  ]

  /// As `luna finder status` shows what a queue has lost.
  @Test(arguments: [40, 80])
  func keepsWithinTheTerminal(width: Int) {
    let lines = PairLines.lines(Self.rows, width: width)
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    #expect(lines[0] == "waiting  0 of 100000 events")
    let words = lines.joined(separator: " ").split(separator: " ")
    #expect(words == Self.rows.joined().joined(separator: " ").split(separator: " "))
  }

  @Test func hasALineEachElsewhere() {
    #expect(PairLines.lines(Self.rows, width: nil).count == 2)
  }
}
