import LunaCore
import Testing

@testable import LunaOwner

struct QueryPaceTests {
  private var pace = QueryPace()

  @Test mutating func asksForMoreWhereThereIsLittle() {
    for size in [256, 512, 1024, 1024] {
      #expect(pace.size == size)
      pace.took(pages: 1, first: 3, events: 3)
    }
    #expect(pace.size == EventQuery.limit)
  }

  /// Three events of each identifier, a thousand on a page.
  @Test mutating func settlesWhereABlockIsAPage() {
    var sizes: [Int] = []
    for _ in 0..<20 {
      sizes.append(pace.size)
      let events = 3 * pace.size
      pace.took(pages: (events + 999) / 1000, first: min(events, 1000), events: events)
    }
    #expect(sizes == [256, 512] + [Int](repeating: 256, count: 18))
  }

  @Test mutating func goesOnWithMoreAfterABusyTime() {
    pace.took(pages: 40, first: 1000, events: 40_000)
    #expect(pace.size == 64)
    pace.took(pages: 10, first: 1000, events: 10_000)
    #expect(pace.size == 64)
    for _ in 0..<4 { pace.took(pages: 1, first: 0, events: 0) }
    #expect(pace.size == EventQuery.limit)
  }

  /// Pages that only name a page after them are no reason to ask otherwise.
  @Test mutating func isNotLedAstrayByEmptyPages() {
    pace.took(pages: 5, first: 0, events: 0)
    #expect(pace.size >= QueryPace.first)
  }
}
