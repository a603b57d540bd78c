import LunaDocuments
import Testing

@testable import LunaTables
@testable import TerminalTable

@Suite struct DeviceTableTests {
  static func columns(
    _ width: Int, sorted: TableDescription.Column? = nil
  ) -> [TableDescription.Column] {
    TableLayout(
      TableDescription.advertisers { $0.reason }.columns, width: width, sorted: sorted?.place
    )
    .cells.compactMap { cell in TableDescription.Column.allCases.first { $0.place == cell.column }
    }
  }

  @Test func whatIsShownDependsOnTheWidth() {
    #expect(Self.columns(80) == [.kind, .name, .address, .signal, .rate, .seen])
    #expect(Self.columns(90) == [.kind, .name, .address, .signal, .trend, .rate, .seen])
    #expect(Self.columns(120) == TableDescription.Column.allCases.filter { $0 != .extra })
    #expect(Self.columns(60) == [.kind, .name, .address, .signal, .seen])
    #expect(Self.columns(30) == [.kind, .signal])
    #expect(Self.columns(10) == [.kind])
  }

  /// The column with the arrow stays, wherever there is room for it at all.
  @Test(arguments: [
    TableDescription.Column.kind, .name, .address, .signal, .packets, .rate, .seen,
  ])
  func theSortedColumnIsShown(column: TableDescription.Column) throws {
    for width in [40, 60, 80, 120] {
      #expect(Self.columns(width, sorted: column).contains(column), "\(width)")
    }
  }

  /// `luna local` shows clock and battery where `luna scan` has the kind of address.
  @Test(arguments: [80, 100, 140])
  func showsTheColumnsOfACommand(_ width: Int) {
    var state = TableState(
      LocalRows.table { $0.reason }, size: TerminalSize(columns: width, rows: 10))
    let row = TableRow(
      id: 1,
      values: [
        .text(""), .text(""), .text(""), .text("+12.5 s"), .level(nil, history: []), .bars([]),
        .count(0), .rate(nil), .text("low"), .age(0),
      ])
    _ = state.handle(.snapshot(TableSnapshot(rows: [row])))
    let style = TableStyle(isColored: false, isUnicode: false)
    let frame = String(decoding: FrameRenderer(style: style).bytes(of: state), as: UTF8.self)
    for text in ["CLOCK", "BATT", "+12.5 s", "low"] { #expect(frame.contains(text)) }
    #expect(!frame.contains("TYPE"))
  }
}

extension TableDescription.Column {
  /// Where it stands in the table of `luna scan`, which has no extra column.
  fileprivate var place: Int? {
    self == .extra ? nil : self == .seen ? rawValue - 1 : rawValue
  }
}
