import Diagnosis
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

  /// Much may be heard where a filter lets nothing through.
  @Test func saysWhatLeavesOutAllOfIt() {
    func nothing(_ options: [String]) -> String {
      TableDescription.advertisers(past: options) { $0.reason }.words.nothing
    }
    #expect(nothing([]) == "Nothing heard yet")
    #expect(nothing(["--a", "--b"]) == "Nothing heard yet that passes --a, --b")
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

  /// The frame of `luna local` with one's own tracker and a foreign one, which has no name.
  private static func local(_ width: Int) -> [String] {
    var state = TableState(
      LocalRows.table { $0.reason }, size: TerminalSize(columns: width, rows: 10))
    func row(_ id: UInt64, _ name: String, _ what: String, isOwn: Bool) -> TableRow {
      TableRow(
        id: id, isMarked: isOwn,
        values: [
          .text(name), .text(what), .text("C0:FF:EE:00:00:01"), .text("+12.5±0.5 s"),
          .level(-60, history: []), .bars([]), .count(7), .rate(1), .text("normal"), .age(0),
        ])
    }
    let rows = [
      row(1, "LunaTracker (to onboard)", "", isOwn: false),
      row(2, "Keys", "LunaTracker", isOwn: true),
    ]
    _ = state.handle(.snapshot(TableSnapshot(rows: rows)))
    let lines = FrameRenderer(style: TableStyle(isColored: false)).lines(of: state)
    return lines.map { $0.pieces.map(\.text).joined(separator: " ") }
  }

  /// Who follows their own looks for a name: it comes first, and stays at any width.
  @Test func localBeginsWithTheName() {
    #expect(Self.local(40)[1] == "NAME RSSI▼ BATT SEEN")
    #expect(Self.local(60)[1] == "NAME WHAT RSSI▼ BATT SEEN")
    #expect(Self.local(80)[1] == "NAME WHAT CLOCK RSSI▼ BATT SEEN")
    for width in [40, 60, 80, 120] {
      let lines = Self.local(width)
      #expect(lines[1].hasPrefix("NAME ") && lines[2].hasPrefix("Keys "), "\(width)")
      #expect(lines[3].hasPrefix("LunaTracker (to o"), "\(width)")
      #expect(lines[2].contains("normal"), "\(width)")
    }
  }

  /// All are trackers there: what is counted and what one key shows alone are one's own.
  @Test func localCountsOnesOwn() {
    #expect(Self.local(80)[0].contains("2 trackers · 1 yours"))
    #expect(Self.local(80).last?.contains("t yours only") == true)
  }
}

extension TableDescription.Column {
  /// Where it stands in the table of `luna scan`, which has no extra column.
  fileprivate var place: Int? {
    self == .extra ? nil : self == .seen ? rawValue - 1 : rawValue
  }
}
