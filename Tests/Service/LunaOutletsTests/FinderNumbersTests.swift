import Bluetooth
import LunaFinder
import Prometheus
import Testing

@testable import LunaOutlets

@Suite("What a gateway counts, for whoever collects numbers")
struct FinderNumbersTests {
  @Test("Losses have their reason, beside what the radio has heard")
  func countsLosses() {
    let numbers = FinderNumbers()
    numbers.take(.dropped(reason: "queue", count: 3))
    numbers.take(.dropped(reason: "queue", count: 4))
    var counters = SourceCounters()
    counters.reports = 12
    let text = numbers.text(counters).text
    #expect(text.contains("luna_lost_total{reason=\"queue\"} 7\n"))
    #expect(text.contains("luna_reports_total 12\n"))
    #expect(text.contains("luna_listening 0\n") && !text.contains("luna_waiting"))
  }

  @Test("Steps that were taken to bring the radio back are counted, and what it waits for is not")
  func countsRecoverySteps() {
    let numbers = FinderNumbers()
    let steps: [(RecoveryStep.Kind, RecoveryStep.Outcome)] = [
      (.wait, .waiting), (.scan, .failed), (.power, .done), (.power, .recovered),
    ]
    for (kind, outcome) in steps {
      let step = RecoveryStep(
        adapter: "hci0", kind: kind, outcome: outcome, reason: "silent", attempt: 1)
      numbers.take(.recovery(step))
    }
    #expect(numbers.text(SourceCounters()).text.contains("luna_recovery_steps_total 2\n"))
  }
}
