package import LunaDocuments
package import TerminalTable

extension TableDescription {
  /// The columns of the tables of advertisers and of devices, in their order.
  package enum Column: Int, CaseIterable {
    case kind, name, address, addressDetail, signal, trend, packets, rate, extra, seen
  }

  /// The table of `luna scan`.
  ///
  /// - Parameters:
  ///   - zone: that of times in a filter.
  ///   - options: those that leave something out. Where nothing gets past them, others may well be heard.
  ///   - words: what is said of a filter that is wrong.
  package static func advertisers(
    in zone: any CivilZone = UTCZone(), past options: [String] = [],
    _ words: @escaping @Sendable (FilterError) -> String
  ) -> TableDescription {
    var table = devices(.advertisement, in: zone, words)
    if !options.isEmpty {
      table.words.nothing += " that passes \(options.joined(separator: ", "))"
    }
    return table
  }

  /// The table of `luna local`. Who follows their own looks for a name: it stands first, and stays
  /// when all else has gone.
  ///
  /// - Parameters:
  ///   - catalog: the fields that a filter may name.
  ///   - words: what is said of a filter that is wrong.
  package static func trackers(
    _ catalog: FieldCatalog, _ words: @escaping @Sendable (FilterError) -> String
  ) -> TableDescription {
    var table = devices(
      catalog, in: UTCZone(), words, detail: "CLOCK", extra: "BATT",
      yielding: [
        (.packets, 38), (.trend, 36), (.rate, 22), (.address, 30), (.addressDetail, 30),
        (.kind, 20), (.extra, 22), (.seen, 14), (.signal, 4),
      ])
    table.columns.swapAt(Column.kind.rawValue, Column.name.rawValue)
    table.columns[0].look = .markable
    table.columns[1].look = .plain
    // All of them are trackers here; those that come first are one's own.
    table.words = TableWords(
      row: ("tracker", "trackers"), marked: ("yours", "yours"), rate: "packets/s",
      nothing: "Nothing heard yet", example: "keys silent")
    return table
  }

  /// A table with a row for whoever is heard.
  ///
  /// - Parameters:
  ///   - detail: what the column of the address's kind shows instead.
  ///   - extra: what one more column shows; nil for no such column.
  ///   - yielding: what makes room for what names a row, the first first, where it has less than that.
  private static func devices(
    _ catalog: FieldCatalog, in zone: any CivilZone,
    _ words: @escaping @Sendable (FilterError) -> String, detail: String? = nil,
    extra: String? = nil,
    yielding: [(Column, enough: Int)] = [
      (.addressDetail, 38), (.packets, 38), (.trend, 36), (.rate, 22), (.name, 20), (.seen, 14),
      (.address, 10), (.signal, 4),
    ]
  ) -> TableDescription {
    var columns: [TableColumn] = [
      TableColumn("WHAT", isSortable: true, isSearched: true, isName: true, look: .markable),
      TableColumn("NAME", isSortable: true, isSearched: true, isName: true),
      TableColumn(
        "ADDRESS", width: 17, isSortable: true, isSearched: true, isName: true,
        placeholder: "anonymous"),
      TableColumn(detail ?? "TYPE", width: 15, isSearched: true, look: .dim),
      TableColumn("RSSI", width: 5, isNumber: true, isSortable: true),
      TableColumn("TREND", width: 8, look: .dim),
      TableColumn("PACKETS", width: 8, isNumber: true, isSortable: true),
      TableColumn("PKT/S", width: 6, isNumber: true, isSortable: true),
      TableColumn(extra ?? "", width: 6, isKept: true),
      TableColumn("SEEN", width: 5, isNumber: true, isSortable: true),
    ]
    for (rank, place) in yielding.enumerated() {
      columns[place.0.rawValue].yields = .init(rank: rank, enough: place.enough)
    }
    if extra == nil { columns.remove(at: Column.extra.rawValue) }
    return TableDescription(
      columns: columns, order: Column.signal.rawValue,
      scale: TableScale(bars: -100 ... -30, strong: -60, middling: -80),
      words: TableWords(
        row: ("advertiser", "advertisers"), marked: ("tracker", "trackers"), rate: "packets/s",
        nothing: "Nothing heard yet", example: "airtag kitchen"),
      language: .filters(of: catalog, in: zone, words))
  }
}
