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
}
