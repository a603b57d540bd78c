import Testing

@testable import TerminalTable

@Suite struct TableLayoutTests {
  @Test func columnsFitEveryWidth() {
    for width in 1...400 {
      let cells = TableLayout(SampleRows.table.columns, width: width).cells
      #expect(cells.first?.column == 0)
      for (cell, next) in zip(cells, cells.dropFirst()) {
        #expect(cell.width > 0)
        #expect(cell.start + cell.width < next.start)
      }
      if width >= 12, let last = cells.last { #expect(last.start + last.width < width) }
    }
  }

  @Test func columnsGoInTheirOrderAndThoseThatAreKeptLast() {
    let columns = [
      TableColumn("A"), TableColumn("B", width: 10, yields: .init(rank: 1, enough: 20)),
      TableColumn("C", width: 10, yields: .init(rank: 0, enough: 30)),
      TableColumn("D", width: 10, yields: .init(rank: 2, enough: 20), isKept: true),
    ]
    func shown(_ width: Int, sorted: Int? = nil) -> [Int] {
      TableLayout(columns, width: width, sorted: sorted).cells.map(\.column)
    }
    #expect(shown(80) == [0, 1, 2, 3])
    #expect(shown(60) == [0, 1, 3])
    #expect(shown(40) == [0, 3])
    #expect(shown(60, sorted: 2) == [0, 1, 2, 3])
    #expect(shown(20) == [0])
  }

  @Test func areasAddUp() {
    for height in 1...60 {
      for details in [0, 1, 2, 5, 10, 100] {
        for hasMessage in [false, true] {
          let areas = TableAreas(height: height, details: details, hasMessage: hasMessage)
          let other = [areas.hasTitle, areas.hasHeads, areas.hasKeys, areas.hasMessage]
          #expect(areas.rows + areas.details + other.count { $0 } == height)
          #expect(areas.rows >= 0 && (details > 0 || areas.details == 0))
          if height >= 2 { #expect(areas.rows > 0) }
        }
      }
    }
  }
}
