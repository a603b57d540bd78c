import Testing
import UplinkProtocol

struct SpearmanTests {
  @Test func perfectRelations() throws {
    let up = try Spearman([1, 2, 3, 9], [10, 20, 30, 31], .greater)
    #expect(up.statistic == 1 && up.p == 0)
    let down = try Spearman([1, 2, 3, 9], [4, 3, 2, 1], .greater)
    #expect(down.statistic == -1 && down.p == 1)
    #expect(try Spearman([1, 2, 3, 9], [4, 3, 2, 1], .less).p == 0)
  }

  @Test func noRelation() throws {
    let none = try Spearman([1, 2, 3, 4], [2, 4, 1, 3])
    #expect(none.statistic == 0 && none.p == 1)
  }

  @Test(arguments: [
    ([1.0, 2, 3], [1.0, 2], StatisticsError.Kind.unequal), ([1, 2], [1, 2], .tooFew),
    ([1, 1, 1], [1, 2, 3], .constant), ([1, 2, 3], [2, 2, 2], .constant),
  ])
  func refuses(_ first: [Double], _ second: [Double], _ kind: StatisticsError.Kind) {
    let error = #expect(throws: StatisticsError.self) { try Spearman(first, second) }
    #expect(error?.kind == kind)
  }

  @Test func longestSeriesAreExact() throws {
    let series = (0..<10_000).map { Double($0) }
    #expect(try Spearman(series, series).statistic == 1)
  }
}
