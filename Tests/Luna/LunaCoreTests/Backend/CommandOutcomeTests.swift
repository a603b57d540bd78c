import LunaCore
import LunaProtocol
import SafeText
import Testing

@Suite struct CommandOutcomeTests {
  private func confirmation(_ outcome: CommandOutcome) -> CommandConfirmation {
    CommandConfirmation(requestID: "r", heid: HEID(high: 1, low: 2), outcome)
  }

  @Test func passesReceiptsOn() {
    for count in [17, 5] {
      let receipt = [UInt8](repeating: 1, count: count)
      let confirmation = confirmation(CommandOutcome(.done, receipt: receipt))
      #expect(confirmation.outcome == .done)
      #expect(confirmation.receipt == receipt)
    }
  }

  @Test func aReceiptOfAnotherLengthIsNone() {
    for receipt in [nil, [], [UInt8](repeating: 1, count: 16)] as [[UInt8]?] {
      let confirmation = confirmation(CommandOutcome(.done, receipt: receipt))
      #expect(confirmation.outcome == .failed)
      #expect(confirmation.receipt == nil)
    }
  }

  @Test func cutsLongDetails() {
    let confirmation = confirmation(
      CommandOutcome(.notReached, detail: String(repeating: "é", count: 1000)))
    #expect(confirmation.outcome == .notReached)
    #expect(confirmation.detail?.raw.unicodeScalars.count == CommandConfirmation.detailLimit)
  }
}
