import Testing

@testable import luna

@Suite struct TableLayoutTests {
  static func columns(_ width: Int, sorted: TableColumn? = nil) -> [TableColumn] {
    TableLayout(width: width, sorted: sorted).cells.map(\.column)
  }

  @Test func columnsFitEveryWidth() {
    for width in 1...400 {
      let cells = TableLayout(width: width).cells
      #expect(cells.first?.column == .kind)
      for (cell, next) in zip(cells, cells.dropFirst()) {
        #expect(cell.width > 0)
        #expect(cell.start + cell.width < next.start)
      }
      if width >= 12, let last = cells.last { #expect(last.start + last.width < width) }
    }
  }

  @Test func whatIsShownDependsOnTheWidth() {
    #expect(Self.columns(80) == [.kind, .name, .address, .signal, .rate, .seen])
    #expect(Self.columns(90) == [.kind, .name, .address, .signal, .trend, .rate, .seen])
    #expect(Self.columns(120) == TableColumn.allCases.filter { $0 != .extra })
    #expect(Self.columns(60) == [.kind, .name, .address, .signal, .seen])
    #expect(Self.columns(30) == [.kind, .signal])
    #expect(Self.columns(10) == [.kind])
  }

  /// The column with the arrow stays, wherever there is room for it at all.
  @Test(arguments: TableColumn.sortable)
  func theSortedColumnIsShown(column: TableColumn) throws {
    for width in [40, 60, 80, 120] {
      #expect(Self.columns(width, sorted: column).contains(column), "\(width)")
    }
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
