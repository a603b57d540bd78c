import Bluetooth
import LunaDocuments
import LunaFinder
import Testing

@testable import LunaCLI

/// What a finder knows of its radio when its time is over.
@Suite struct FinderPrinterTests {
  private static let step = RecoveryStep(
    adapter: "hci1", kind: .wait, outcome: .waiting, reason: "hci1 is gone", attempt: 1)

  /// What is in the way after these updates.
  private func trouble(after updates: FinderUpdate...) throws -> String? {
    var printer = FinderPrinter(
      OutputBuffer(), .text, Diagnostics(quiet: true, verbosity: 0),
      fallback: SourceDescription(name: "none", simulated: false, explanation: "no radio"))
    for update in updates { try printer.print(update) }
    return printer.trouble
  }

  @Test("One of several adapters that is brought back is no trouble while another one delivers")
  func otherDelivers() throws {
    #expect(
      try trouble(after: .state(.listening(adapter: "hci0,hci1")), .recovery(Self.step)) == nil)
  }

  @Test("All of them are", arguments: [false, true])
  func noneDelivers(_ isLost: Bool) throws {
    let state: FinderState =
      isLost
      ? .lost(adapter: "hci0", reason: "hci0 is gone")
      : .recovering(adapter: "hci0", reason: "hci0 is gone")
    #expect(
      try trouble(after: .state(.listening(adapter: "hci0")), .state(state), .recovery(Self.step))
        == "hci0 is gone")
  }

  @Test("And are none any more once one listens again")
  func listensAgain() throws {
    #expect(
      try trouble(
        after: .state(.recovering(adapter: "hci0", reason: "hci0 is gone")), .recovery(Self.step),
        .state(.listening(adapter: "hci0"))) == nil)
  }

  @Test("Steps that were taken are in what it says when it is asked", arguments: [1, 2])
  func tellsOfSteps(_ count: Int) throws {
    var printer = FinderPrinter(
      OutputBuffer(), .text, Diagnostics(quiet: true, verbosity: 0),
      fallback: SourceDescription(name: "none", simulated: false, explanation: "no radio"))
    var step = Self.step
    try printer.print(.recovery(step))
    #expect(printer.summary == "0 sightings queued, 0 events uploaded")
    step.outcome = .done
    for _ in 0..<count { try printer.print(.recovery(step)) }
    let told = count == 1 ? "1 step to recover" : "2 steps to recover"
    #expect(printer.summary == "0 sightings queued, 0 events uploaded, \(told)")
  }
}
