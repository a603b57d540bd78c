import LunaDocuments

@testable import TerminalTable

/// A room with the kinds of advertisers that tables have to cope with.
enum SampleRows {
  static let rows: [TableRow] = [
    TableRow(
      id: 1, kind: "iBeacon", name: "Door", address: "C0:FF:EE:00:00:01",
      addressDetail: "random static", rssi: -67,
      rssiHistory: [-70, -69, -68, -68, -67, -67, -67, -67],
      packets: 1234, rate: 9.8, lastSeen: 0.1),
    TableRow(
      id: 2, kind: "apple-find-my", isTracker: true, address: "F1:22:33:44:55:66",
      addressDetail: "random static", rssi: -81,
      rssiHistory: [-99, -98, -97, -96, -83, -82, -81, -81],
      packets: 40, rate: 0.5, lastSeen: 2.2,
      details: [
        TableRow.Detail(label: "state", value: "separated"),
        TableRow.Detail(
          label: "data", value: "1eff4c0012190012345678" + String(repeating: "9a", count: 60)),
        TableRow.Detail(label: "first seen", value: "12:00:01"),
      ]),
    TableRow(
      id: 3, kind: "luna", isTracker: true, name: "Schlüssel 🔑 鍵", address: "AA:BB:CC:DD:EE:FF",
      addressDetail: "public", rssi: -45, rssiHistory: [-40, -40, -40, -40, -48, -49, -50, -45],
      packets: 1_500_000, rate: 120.4, lastSeen: 0),
    TableRow(
      id: 4, kind: "eddystone-uid", name: "\u{1B}[2J\u{202E}evil\u{7}\r\n\u{9B}31mred",
      address: "12:34:56:78:9A:BC", addressDetail: "public", rssi: -100, packets: 1, rate: 0.01,
      lastSeen: 75),
    TableRow(id: 5, kind: "", packets: 7, rate: 0.2, lastSeen: 4000),
    TableRow(
      id: 6, kind: "google-find-hub", isTracker: true,
      name: "A very long name that no column can hold in full", address: "7C:00:00:00:00:02",
      addressDetail: "random resolvable", rssi: -59, rssiHistory: [-59], packets: 3, rate: 1,
      lastSeen: 11),
  ]

  static let table = TableDescription(
    columns: [
      TableColumn("WHAT", isSortable: true, isSearched: true, isName: true, look: .markable),
      TableColumn(
        "NAME", isSortable: true, isSearched: true, isName: true,
        yields: .init(rank: 5, enough: 20)),
      TableColumn(
        "ADDRESS", width: 17, isSortable: true, isSearched: true, isName: true,
        placeholder: "anonymous", yields: .init(rank: 7, enough: 10)),
      TableColumn(
        "TYPE", width: 15, isSearched: true, look: .dim, yields: .init(rank: 0, enough: 38)),
      TableColumn(
        "RSSI", width: 5, isNumber: true, isSortable: true, yields: .init(rank: 8, enough: 4)),
      TableColumn("TREND", width: 8, look: .dim, yields: .init(rank: 2, enough: 36)),
      TableColumn(
        "PACKETS", width: 8, isNumber: true, isSortable: true, yields: .init(rank: 1, enough: 38)),
      TableColumn(
        "PKT/S", width: 6, isNumber: true, isSortable: true, yields: .init(rank: 3, enough: 22)),
      TableColumn(
        "SEEN", width: 5, isNumber: true, isSortable: true, yields: .init(rank: 6, enough: 14)),
    ],
    order: 4, scale: TableScale(bars: -100 ... -30, strong: -60, middling: -80),
    words: TableWords(
      row: ("advertiser", "advertisers"), marked: ("tracker", "trackers"), rate: "packets/s",
      nothing: "Nothing heard yet", example: "airtag kitchen"),
    language: language)

  /// The filters of advertisements, as a language that is worth trying.
  private static let language = TableLanguage(
    names: (FieldCatalog.advertisement.top + FieldCatalog.advertisement.items).map(\.name),
    examples: [
      ("rssi > -60", "a field, == != < <= > >=, and a number or a \"text\""),
      ("name ~ \"(?i)key\"", "a regular expression"),
      ("rssi in {-70..-60}", "a set or a range"), ("has(name)", "the field is there"),
      ("a && b, a || b, !a", "or the words and, or, not"),
    ],
    example: "rssi > -60 && has(name)",
    signs: ["=", "<", ">", "~", "&&", "||", "{", "}", "[", "]", "\"", "has("]
  ) { text throws(TableMistake) in
    let filter: FilterExpression
    do throws(FilterError) {
      filter = try FilterParser.parse(text)
    } catch {
      throw TableMistake(text: "\(error)", position: error.position)
    }
    // Words are looked for in the rows alone here.
    return text.contains { "=<>~&|([".contains($0) } ? Expression(text: filter.text) : nil
  }

  private struct Expression: TableExpression {
    let text: String
  }

  static let snapshot = TableSnapshot(source: "hci0, observe", rows: rows)

  static func state(
    _ columns: Int, _ lines: Int, keys: String = "", snapshot: TableSnapshot = snapshot
  ) -> TableState {
    var state = TableState(SampleRows.table, size: TerminalSize(columns: columns, rows: lines))
    _ = state.handle(.snapshot(snapshot))
    var decoder = KeyDecoder()
    for key in decoder.decode(keys.utf8) + decoder.flush() { _ = state.handle(.key(key)) }
    return state
  }
}

extension TableRow {
  /// A row of the sample's columns.
  init(
    id: UInt64, kind: String, isTracker: Bool = false, name: String = "", address: String = "",
    addressDetail: String = "", rssi: Int? = nil, rssiHistory: [Int8] = [], packets: Int = 0,
    rate: Double? = nil, lastSeen: Double = 0, details: [Detail] = []
  ) {
    self.init(
      id: id, isMarked: isTracker,
      values: [
        .text(kind), .text(name), .text(address), .text(addressDetail),
        .level(rssi, history: rssiHistory), .bars(rssiHistory), .count(packets), .rate(rate),
        .age(lastSeen),
      ], details: details)
  }

  var rssi: Int? { if case .level(let level, _) = values[4] { level } else { nil } }

  var rssiHistory: [Int8] {
    get { if case .bars(let history) = values[5] { history } else { [] } }
    set {
      values[4] = .level(rssi, history: newValue)
      values[5] = .bars(newValue)
    }
  }

  var packets: Int {
    get { if case .count(let count) = values[6] { count } else { 0 } }
    set { values[6] = .count(newValue) }
  }
}
