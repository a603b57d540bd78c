import LunaTesting
import Testing

@testable import TerminalTable

@Suite struct TableStateTests {
  /// The table's rows by their numbers.
  static func ids(_ state: TableState) -> [UInt64] { state.rows.map(\.id) }

  @Test func trackersComeFirstThenTheStrongest() {
    #expect(Self.ids(SampleRows.state(80, 24)) == [3, 6, 2, 1, 4, 5])
  }

  @Test(
    arguments: [
      ("1", [2, 6, 3, 4, 1, 5]), ("11", [3, 6, 2, 1, 4, 5]), ("2", [6, 3, 2, 4, 1, 5]),
      ("3", [6, 3, 2, 4, 1, 5]), ("4", [2, 6, 3, 4, 1, 5]), ("5", [3, 2, 6, 1, 5, 4]),
      ("6", [3, 6, 2, 1, 5, 4]), ("7", [3, 2, 6, 1, 4, 5]), ("s", [3, 2, 6, 1, 5, 4]),
      ("ssss", [2, 6, 3, 4, 1, 5]), ("S", [6, 3, 2, 4, 1, 5]), ("r", [2, 6, 3, 4, 1, 5]),
      ("rr", [3, 6, 2, 1, 4, 5]), ("8", [3, 6, 2, 1, 4, 5]), ("0", [3, 6, 2, 1, 4, 5]),
    ] as [(String, [UInt64])])
  func sortKeys(keys: String, ids: [UInt64]) {
    #expect(Self.ids(SampleRows.state(80, 24, keys: keys)) == ids)
  }

  /// A table of which no column sorts takes the keys that would.
  @Test func nothingSorts() {
    let table = TableDescription(
      columns: [TableColumn("NAME")], order: 0, scale: SampleRows.table.scale,
      words: SampleRows.table.words)
    var state = TableState(table, size: TerminalSize(columns: 80, rows: 24))
    _ = state.handle(.snapshot(TableSnapshot(rows: SampleRows.rows)))
    for key in "sS1r" { _ = state.handle(.key(.character(key))) }
    #expect(state.order.column == 0 && state.rows.count == 6)
  }

  /// One packet does not bring a row past another: the mean of some counts, and is what is shown.
  @Test func orderIsQuiet() {
    var rows = [
      TableRow(id: 1, kind: "", rssi: -60, rssiHistory: [-60, -62]),
      TableRow(id: 2, kind: "", rssi: -61, rssiHistory: [-61]),
    ]
    #expect(TableOrder(column: 4).sorted(rows).map(\.id) == [1, 2])
    rows[1].rssiHistory = [-40, -62, -61, -62, -59]
    #expect(TableOrder(column: 4).sorted(rows.reversed()).map(\.id) == [1, 2])
    rows[1].rssiHistory = [-40]
    #expect(TableOrder(column: 4).sorted(rows).map(\.id) == [2, 1])
  }

  @Test(
    arguments: [
      ("/luna", [3]), ("/LUNA\r", [3]), ("/find", [6, 2]), ("/find long", [6]), ("/schlÜ", [3]),
      ("/:ee:", [3, 1]), ("/public", [3, 4]), ("/x\u{7F}luna", [3]),
      ("/luna\u{15}", [3, 6, 2, 1, 4, 5]),
      ("/find long\u{17}", [6, 2]), ("/zzz", []), ("/zzz\u{1B}", [3, 6, 2, 1, 4, 5]),
      ("t", [3, 6, 2]),
      ("tt", [3, 6, 2, 1, 4, 5]), ("t/find\r", [6, 2]), ("t/find\r\u{1B}", [3, 6, 2, 1, 4, 5]),
      ("/q\r", []), ("/é", []),
    ] as [(String, [UInt64])])
  func filterKeys(keys: String, ids: [UInt64]) {
    #expect(Self.ids(SampleRows.state(80, 24, keys: keys)) == ids)
  }

  /// `/` takes the language of `--filter`; what passes comes with the rows.
  @Test func expressionsAreAskedFor() throws {
    var state = SampleRows.state(80, 24, keys: "/rssi > -60")
    #expect(state.request.filter?.text == "rssi > -60" && state.filter.mistake == nil)
    var rows = SampleRows.rows
    for index in rows.indices { rows[index].passes = (rows[index].rssi ?? -127) > -60 }
    _ = state.handle(.snapshot(TableSnapshot(rows: rows)))
    #expect(Self.ids(state) == [3, 6])
    _ = state.handle(.key(.enter))
    #expect(!state.isEditingFilter && state.filter.text == "rssi > -60")
    _ = state.handle(.key(.escape))
    #expect(state.request.filter == nil && Self.ids(state) == [3, 6, 2, 1, 4, 5])
  }

  /// While something is added that cannot be read yet, the filter before stays, nothing typed is
  /// lost, and Enter does not leave.
  @Test func mistakesAreShownAndKept() throws {
    var state = SampleRows.state(80, 24, keys: "/rssi > -60 && nam == \"x\"\r")
    #expect(state.isEditingFilter && state.filter.text == "rssi > -60 && nam == \"x\"")
    #expect(state.filter.mistake?.text == "nam is not a field; did you mean name?")
    #expect(state.filter.mistake?.position == 14)
    #expect(state.request.filter?.text == "rssi > -60 ")
    // Mended at the place.
    var decoder = KeyDecoder()
    for key in decoder.decode(Array(repeating: 0x7F, count: 7) + Array("e == \"x\"\r".utf8)) {
      _ = state.handle(.key(key))
    }
    #expect(!state.isEditingFilter && state.request.filter?.text == "rssi > -60 && name == \"x\"")
  }

  @Test(
    arguments: [
      ("", nil), ("airtag", nil), ("rssi", nil), ("AirTag (sep", nil), ("C0:FF", nil), ("a.b", nil),
      ("-60", nil), ("rssi >", 6), ("name ~", 6), ("name == \"", 8), ("has(", 4), ("x = 1", 0),
      ("rssi in {", 9), ("data[", 5), ("a && b", 0),
    ] as [(String, Int?)])
  func wordsAndExpressionsAreToldApart(text: String, mistake: Int?) {
    var filter = TableFilter(SampleRows.table)
    filter.text = text
    #expect(filter.mistake?.position == mistake)
  }

  /// In a pause the rows stay as they were; what passes a new filter is told of those.
  @Test func filtersWorkInAPause() {
    var state = SampleRows.state(80, 24, keys: "p/rssi > -60\r")
    #expect(state.request.isPaused && state.request.filter != nil)
    var rows = SampleRows.rows
    for index in rows.indices {
      rows[index].passes = rows[index].id == 2
      rows[index].packets = 99
    }
    _ = state.handle(.snapshot(TableSnapshot(rows: rows)))
    #expect(Self.ids(state) == [2] && state.rows.first?.packets == 40)
  }

  /// Those that scroll do so where there is more than fits.
  @Test func helpIsClosedByAnyKey() {
    for key in [Key.character("?"), .character("q"), .escape, .enter, .character("x")] {
      var state = SampleRows.state(80, 24, keys: "?")
      #expect(state.showsHelp)
      #expect(state.handle(.key(key)) == .redraw)
      #expect(!state.showsHelp && state.selected == nil)
    }
    var state = SampleRows.state(80, 24, keys: "?")
    #expect(state.handle(.key(.control("c"))) == .quit)
    #expect(!SampleRows.state(80, 60, keys: "?j").showsHelp)
    #expect(SampleRows.state(80, 24, keys: "?jjk").helpTop == 1)
    #expect(SampleRows.state(80, 24, keys: "?Gg").helpTop == 0)
    // A question mark in a filter is one.
    #expect(SampleRows.state(80, 24, keys: "/?").filter.text == "?")
  }

  @Test func filterIsAppliedToWhatComes() {
    var state = SampleRows.state(80, 24, keys: "/luna\r")
    let late = TableRow(id: 9, kind: "luna", isTracker: true, rssi: -20)
    _ = state.handle(.snapshot(TableSnapshot(rows: SampleRows.rows + [late])))
    #expect(Self.ids(state) == [9, 3])
    #expect(state.snapshot.rows.count == 7)
  }

  @Test func quitKeys() {
    var state = SampleRows.state(80, 24)
    #expect(state.handle(.key(.character("q"))) == .quit)
    #expect(state.handle(.key(.control("c"))) == .quit)
    #expect(state.handle(.key(.other)) == nil)
    #expect(state.handle(.key(.character("/"))) == .redraw)
    #expect(state.handle(.key(.character("q"))) == .redraw)
    #expect(state.filter.text == "q")
    #expect(state.handle(.key(.control("c"))) == .quit)
  }

  @Test func selectionFollowsItsRow() {
    var state = SampleRows.state(80, 24, keys: "jj")
    #expect(state.selected == 6)
    var rows = SampleRows.rows
    rows[5].rssiHistory = [-120]
    _ = state.handle(.snapshot(TableSnapshot(rows: rows)))
    #expect(Self.ids(state) == [3, 2, 6, 1, 4, 5])
    #expect(state.selected == 6)
    // The next key starts where the row is now.
    _ = state.handle(.key(.up))
    #expect(state.selected == 2)
    // Gone: what now stands there is selected.
    rows.removeAll { $0.id == 2 }
    _ = state.handle(.snapshot(TableSnapshot(rows: rows)))
    #expect(state.selected == 6)
    _ = state.handle(.snapshot(TableSnapshot()))
    #expect(state.selected == nil)
    _ = state.handle(.key(.down))
    #expect(state.selected == nil)
  }

  @Test(
    arguments: [
      ("j", 3), ("jj", 6), ("jk", 3), ("k", 5), ("G", 5), ("Gg", 3), ("jjjjjjjjj", 5),
      ("\u{1B}[B", 3),
      ("\u{1B}[F\u{1B}[A", 4), ("\u{1B}OB", 3), ("\r", 3), ("j\u{1B}[6~", 5), ("j\u{1B}", nil),
    ] as [(String, UInt64?)])
  func moveKeys(keys: String, id: UInt64?) {
    #expect(SampleRows.state(80, 24, keys: keys).selected == id)
  }

  @Test func scrollingKeepsTheSelectionInSight() {
    let rows = (1...100).map { TableRow(id: UInt64($0), kind: "", rssi: -50) }
    var state = SampleRows.state(80, 13, snapshot: TableSnapshot(rows: rows))
    #expect(state.areas.rows == 10)
    func press(_ key: Key, _ times: Int = 1) {
      for _ in 0..<times { _ = state.handle(.key(key)) }
    }
    press(.down, 10)
    #expect((state.top, state.selected) == (0, 10))
    press(.down)
    #expect((state.top, state.selected) == (1, 11))
    press(.pageDown)
    #expect((state.top, state.selected) == (10, 20))
    press(.end)
    #expect((state.top, state.selected) == (90, 100))
    press(.pageUp)
    #expect((state.top, state.selected) == (90, 91))
    press(.up)
    #expect((state.top, state.selected) == (89, 90))
    // Smaller, and with the details open: still in sight.
    for size in [TerminalSize(columns: 80, rows: 6), TerminalSize(columns: 80, rows: 1)] {
      _ = state.handle(.resize(size))
      press(.enter)
      #expect(state.top <= 89 && 89 < state.top + max(1, state.areas.rows))
    }
    _ = state.handle(.resize(TerminalSize(columns: 80, rows: 24)))
    _ = state.handle(.snapshot(TableSnapshot(rows: Array(rows.prefix(3)))))
    #expect((state.top, state.selected) == (0, 3))
  }

  @Test func pauseKeepsTheRows() {
    var state = SampleRows.state(80, 24, keys: "p")
    let fresh = TableSnapshot(source: "new", notice: "note", rows: [])
    _ = state.handle(.snapshot(fresh))
    #expect(state.isPaused && state.rows.count == 6)
    #expect(state.snapshot.source == "new" && state.snapshot.notice == "note")
    // Sorting and filtering go on.
    _ = state.handle(.key(.character("t")))
    #expect(state.rows.count == 3)
    _ = state.handle(.key(.character(" ")))
    _ = state.handle(.snapshot(fresh))
    #expect(!state.isPaused && state.rows.isEmpty)
  }

  /// Details come only with the snapshot after a row was selected, also in a pause.
  @Test func detailsArriveInAPause() {
    var rows = SampleRows.rows
    var state = SampleRows.state(80, 24, keys: "pj\r")
    #expect(state.showsDetails && state.detailLines == ["  Nothing more is known."])
    rows[2].details = [TableRow.Detail(label: "a", value: "b")]
    rows[2].packets = 99
    _ = state.handle(.snapshot(TableSnapshot(rows: rows)))
    #expect(state.detailLines == ["  a  b"])
    #expect(state.selectedRow?.packets == 1_500_000)
  }

  /// Details scroll by pages, up to their end; another row's begin at the top.
  @Test func detailsScroll() {
    var rows = SampleRows.rows
    for index in rows.indices {
      rows[index].details = (1...40).map { TableRow.Detail(label: "a\($0)", value: "b") }
    }
    var state = SampleRows.state(80, 24, keys: "j\r", snapshot: TableSnapshot(rows: rows))
    let room = state.detailRoom
    #expect(room > 5 && state.detailTop == 0)
    _ = state.handle(.key(.pageUp))
    #expect(state.detailTop == 0)
    _ = state.handle(.key(.pageDown))
    #expect(state.detailTop == room - 1 && state.selected == 3)
    for _ in 0..<20 { _ = state.handle(.key(.pageDown)) }
    #expect(state.detailTop == 40 - room)
    // News of the row do not move it.
    _ = state.handle(.snapshot(TableSnapshot(rows: rows)))
    #expect(state.detailTop == 40 - room)
    _ = state.handle(.key(.down))
    #expect(state.detailTop == 0 && state.selected == 6)
    _ = state.handle(.key(.pageDown))
    _ = state.handle(.key(.enter))
    #expect(!state.showsDetails && state.detailTop == 0)
    // Closed, the rows are what is turned over.
    _ = state.handle(.key(.pageDown))
    #expect(state.selected == 5)
  }

  @Test func escapeClosesOneThingAtATime() {
    var state = SampleRows.state(80, 24, keys: "/find\rj\r")
    #expect(state.showsDetails && state.rows.count == 2 && state.selected == 6)
    _ = state.handle(.key(.escape))
    #expect(!state.showsDetails && state.rows.count == 2)
    _ = state.handle(.key(.escape))
    #expect(state.rows.count == 6 && state.selected == 6)
    _ = state.handle(.key(.escape))
    #expect(state.selected == nil)
  }

  /// Any keys, snapshots and sizes in any order: the table stays consistent and never traps.
  @Test func anyEventsAreTaken() {
    var generator = Seeded.drawn()
    let keys: [Key] =
      "qjkgG/tpsSr 1234567890xé".map { .character($0) } + [
        .up, .down, .pageUp, .pageDown, .home, .end, .enter, .escape, .backspace, .delete, .tab,
        .control("u"), .control("w"), .control("l"), .other, .left, .right,
      ]
    let renderer = FrameRenderer(style: TableStyle())
    var state = SampleRows.state(80, 24)
    for _ in 0..<20_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        let count = Int.random(in: 0...6, using: &generator)
        let rows = Array(SampleRows.rows.shuffled(using: &generator).prefix(count))
        _ = state.handle(.snapshot(TableSnapshot(rows: rows)))
      case 1:
        let size = TerminalSize(
          columns: Int.random(in: 1...130, using: &generator),
          rows: Int.random(in: 1...30, using: &generator))
        _ = state.handle(.resize(size))
        #expect(renderer.lines(of: state).count == size.rows)
      default:
        if let key = keys.randomElement(using: &generator) { _ = state.handle(.key(key)) }
      }
      #expect(state.selected == nil || state.selectedRow != nil)
      #expect(state.top >= 0 && state.top <= max(0, state.rows.count - 1))
    }
  }
}
