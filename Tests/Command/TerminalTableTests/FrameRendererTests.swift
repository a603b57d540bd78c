import Foundation
import LunaTesting
import Testing

@testable import TerminalTable

@Suite struct FrameRendererTests {
  static let plain = FrameRenderer(style: TableStyle(isColored: false))

  static func screen(
    _ state: TableState, _ renderer: FrameRenderer = plain
  ) throws -> Screen {
    var screen = Screen(size: state.size)
    try screen.feed(renderer.bytes(of: state))
    return screen
  }

  /// The frames that are kept in files; `UPDATE_SNAPSHOTS=1` writes them.
  @Test(arguments: [
    ("80x24", 80, 24, ""), ("120x16", 120, 16, ""), ("80x24-details", 80, 24, "jjj\r"),
    ("80x24-filter", 80, 24, "/luna"), ("80x24-mistake", 80, 24, "/rssi > -60 && nam"),
    ("60x12-long", 60, 12, "/name == \"A very long name\" || name ~ \"another one that is lo"),
    ("80x24-help", 80, 24, "?"), ("40x8-help", 40, 8, "?"), ("80x24-packets", 80, 24, "5"),
    ("60x12-name", 60, 12, "2r"), ("80x24-paused", 80, 24, "tp4"),
    ("80x24-nothing", 80, 24, "/zzz\r"), ("60x12", 60, 12, ""), ("40x8", 40, 8, ""),
    ("20x5", 20, 5, ""),
  ])
  func frame(name: String, columns: Int, rows: Int, keys: String) throws {
    var state = SampleRows.state(columns, rows, keys: keys)
    if name == "80x24-paused" {
      _ = state.handle(.snapshot(TableSnapshot(source: "hci0", notice: "the adapter is reset")))
    }
    let text = try Self.screen(state).lines.joined(separator: "\n") + "\n"
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Frames/\(name).txt")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
  }

  /// Why there is nothing stands there to its end, on a narrow terminal, too.
  @Test(arguments: [40, 80])
  func saysWholeThatThereIsNothing(columns: Int) throws {
    var table = SampleRows.table
    table.words.nothing = "Nothing heard yet that passes --filter"
    let state = TableState(table, size: TerminalSize(columns: columns, rows: 15))
    let words = try Self.screen(state).lines.joined(separator: " ").split(separator: " ")
    #expect(words.joined(separator: " ").contains(table.words.nothing))
  }

  @Test func asciiFrameIsASCII() throws {
    let renderer = FrameRenderer(style: TableStyle(isColored: true, isUnicode: false))
    for keys in ["", "j\r", "/é", "p", "/rssi >", "?", "5"] {
      let state = SampleRows.state(100, 24, keys: keys)
      #expect(renderer.bytes(of: state).allSatisfy { $0 < 0x80 })
      _ = try Self.screen(state, renderer)
    }
  }

  /// No colour means no attributes at all; the selected row is marked by a sign.
  @Test func colorIsOptional() throws {
    let state = SampleRows.state(100, 24, keys: "j")
    let plain = Self.plain.bytes(of: state)
    #expect(!String(decoding: plain, as: UTF8.self).contains(/\u{1B}\[[0-9;]*m/))
    #expect(try Self.screen(state).lines[2].hasPrefix("> luna"))

    let colored = try Self.screen(state, FrameRenderer(style: TableStyle()))
    #expect(colored.lines[2...] == (try Self.screen(state).lines[2...]))
    #expect(colored.graphics(of: "luna") == "7")
    #expect(colored.graphics(of: "apple") == "1;36")
    #expect(colored.graphics(of: "-59") == "32")
    #expect(colored.graphics(of: "-82") == "31")
    #expect(colored.graphics(of: "-67") == "33")
    #expect(colored.graphics(of: "WHAT") == "7")
  }

  /// Whatever a name holds, nothing of it but its letters reaches the terminal.
  @Test func hostileNamesAreHarmless() throws {
    let text = String(
      decoding: Self.plain.bytes(of: SampleRows.state(120, 24)), as: UTF8.self)
    #expect(text.contains(#"\x1b[2J\u202eevil\x07\x0…"#))
    for scalar in ["\u{7}", "\r", "\n", "\u{9B}", "\u{202E}"] { #expect(!text.contains(scalar)) }
    #expect(!text.contains("\u{1B}[2J"))
  }

  /// At every size, the smallest included, a frame fills exactly the screen and nothing else.
  @Test func everySizeWorks() throws {
    for keys in ["", "j\r", "G\r", "/x", "\u{1B}[6~", "?", "/rssi >", "5"] {
      for rows in [1, 2, 3, 4, 5, 6, 7, 9, 12, 40] {
        for columns in Array(1...14) + [20, 30, 40, 60, 80, 100, 132, 300] {
          var state = SampleRows.state(80, 24, keys: keys)
          _ = state.handle(.resize(TerminalSize(columns: columns, rows: rows)))
          let screen = try Self.screen(state)
          #expect(!screen.lines.joined().contains("#"), "\(columns)x\(rows) is not filled")
        }
      }
    }
  }

  /// The frame of a full table costs no more than its visible part.
  @Test func onlyVisibleRowsAreDrawn() {
    let rows = (0..<5000).map { TableRow(id: UInt64($0), kind: "iBeacon", rssi: -50) }
    let state = SampleRows.state(80, 24, snapshot: TableSnapshot(rows: rows))
    #expect(Self.plain.lines(of: state).count == 24)
    #expect(Self.plain.bytes(of: state).count < 4000)
  }

  /// What an advertiser is stays readable where it has no name.
  @Test func kindIsNotCutWithoutAName() throws {
    let kinds = [
      "Apple device, Find My (separated)", "DULT tracker, Google (near its owner)",
      "AirPods, Find My (separated)",
    ]
    let rows = kinds.enumerated().map { index, kind in
      TableRow(id: UInt64(index), kind: kind, address: "C0:FF:EE:00:00:01", rssi: -60)
    }
    for columns in [80, 100, 120, 200] {
      let screen = try Self.screen(
        SampleRows.state(columns, 24, snapshot: TableSnapshot(rows: rows)))
      for kind in kinds { #expect(screen.lines.contains { $0.contains(kind) }, "\(columns)") }
    }
  }

  /// What a column of levels shows, from top to bottom, is in order.
  @Test func shownLevelsAreSorted() throws {
    var generator = Seeded.drawn()
    let address = "C0:FF:EE:00:00:01"
    var rows: [TableRow] = []
    for number in 0..<15 {
      let history = (0..<8).map { _ in Int8.random(in: -90 ... -40, using: &generator) }
      rows.append(
        TableRow(
          id: UInt64(number), kind: "", address: address, rssi: Int(history[7]),
          rssiHistory: history))
    }
    let screen = try Self.screen(
      SampleRows.state(80, 24, snapshot: TableSnapshot(rows: rows)))
    let shown = screen.lines.filter { $0.contains(address) }.compactMap { line -> Int? in
      let rest = line.split(separator: address).last?.drop { $0 == " " }
      return rest.flatMap { Int($0.prefix { $0 == "-" || $0.isNumber }) }
    }
    #expect(shown.count == 15 && shown == shown.sorted(by: >))
  }

  /// The heading of details that do not fit tells where one is, however narrow it is.
  @Test func detailsSayWhereOneIs() throws {
    var rows = SampleRows.rows
    rows[2].details = (1...30).map { TableRow.Detail(label: "a\($0)", value: "b") }
    var state = SampleRows.state(40, 15, keys: "\r", snapshot: TableSnapshot(rows: rows))
    #expect(try Self.screen(state).lines.contains(" luna  Schlüsse…  1-6 of 30, PgUp PgDn"))
    _ = state.handle(.key(.pageDown))
    let lines = try Self.screen(state).lines
    #expect(lines.contains { $0.hasSuffix("6-11 of 30, PgUp PgDn") })
    #expect(lines.contains("  a6   b") && lines.contains("  a11  b") && !lines.contains("  a5   b"))
    #expect(state.selected == 3)
  }

  /// A small terminal says what it does not show: where the title goes on, and how many rows are below.
  @Test func whatDoesNotFitIsSaid() throws {
    let rows = (0..<40).map { TableRow(id: UInt64($0), kind: "iBeacon", rssi: -50) }
    var state = SampleRows.state(
      40, 15, snapshot: TableSnapshot(source: "hci0, observe", rows: rows))
    var lines = try Self.screen(state).lines
    #expect(lines[0] == " hci0, observe · 40 advertisers · 0 tr…")
    #expect(lines[14].hasPrefix(" q quit  ? help") && lines[14].hasSuffix("  +28 below"))
    for _ in 0..<3 { _ = state.handle(.key(.pageDown)) }
    lines = try Self.screen(state).lines
    #expect(lines[14].hasSuffix("  +17 below"))
    _ = state.handle(.key(.end))
    #expect(try !Self.screen(state).lines[14].contains("below"))
    // All of it fits.
    _ = state.handle(.resize(TerminalSize(columns: 80, rows: 50)))
    lines = try Self.screen(state).lines
    #expect(lines[0].hasSuffix("packets/s") && !lines[49].contains("below"))
  }

  /// All of the help can be reached on a terminal of 80 x 24 and on one of 40 x 15, and none of it
  /// is cut.
  @Test(arguments: [(80, 24), (40, 15), (40, 8)])
  func helpScrolls(columns: Int, rows: Int) throws {
    var state = SampleRows.state(columns, rows, keys: "?")
    var seen: Set<String> = []
    for _ in 0..<100 {
      seen.formUnion(try Self.screen(state).lines)
      _ = state.handle(.key(.pageDown))
      #expect(state.showsHelp)
    }
    for line in HelpPage.lines(of: state) where !line.isEmpty {
      #expect(seen.contains(" " + line), "\(line)")
    }
    let last = try Self.screen(state).lines.dropLast().last
    #expect(last?.hasSuffix("metadata") == true)
    _ = state.handle(.key(.escape))
    #expect(!state.showsHelp)
  }

  /// Keys that do nothing are not named.
  @Test func helpNamesNoColumnsWhereNoneSorts() {
    var table = SampleRows.table
    let help = { HelpPage.lines(of: TableState(table, size: TerminalSize(columns: 80, rows: 24))) }
    #expect(help().contains { $0.hasPrefix("  1 to ") })
    for index in table.columns.indices { table.columns[index].isSortable = false }
    #expect(!help().contains { $0.contains("sort by") })
    table.columns[0].isSortable = true
    #expect(help().contains { $0.hasPrefix("  1  ") && $0.contains("sort by WHAT") })
  }

  /// Whatever the rows are sorted by, the arrow is there.
  @Test func theArrowIsShown() throws {
    for columns in [40, 60, 80, 120, 200] {
      for key in 1...7 {
        let heads = try Self.screen(SampleRows.state(columns, 24, keys: "\(key)")).lines[1]
        #expect(heads.contains { "▼▲".contains($0) }, "\(columns) columns, key \(key)")
      }
    }
  }
}
