import LunaTesting
import Testing

@testable import LunaFinder

@Suite struct ShortlistTests {
  @Test(arguments: [0, 1, 4, 5, 6, 9, 10, 11, 1000])
  func takesThoseOfTheHighestRank(_ count: Int) {
    var list = Shortlist<Int>(limit: 5)
    var generator = Seeded(3)
    for _ in 0..<2 {
      let ranks = (0..<count).map { _ in UInt64.random(in: 0..<50, using: &generator) }
      for (index, rank) in ranks.enumerated() { list.offer(index, rank: rank) }
      let sorted = ranks.enumerated().sorted { ($1.element, $0.offset) < ($0.element, $1.offset) }
      #expect(list.take() == sorted.prefix(5).map(\.offset))
    }
    #expect(list.take().isEmpty)
  }

  @Test func takesOne() {
    var list = Shortlist<Int>(limit: 1)
    for rank in [3, 7, 7, 2] { list.offer(Int(rank), rank: UInt64(rank)) }
    #expect(list.take() == [7])
  }
}
