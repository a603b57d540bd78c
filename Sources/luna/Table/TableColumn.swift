/// A column of the live table, in the order in which they stand.
enum TableColumn: CaseIterable, Sendable {
  case kind, name, address, addressDetail, signal, trend, packets, rate, extra, seen

  var title: String {
    switch self {
    case .kind: "WHAT"
    case .name: "NAME"
    case .address: "ADDRESS"
    case .addressDetail: "TYPE"
    case .signal: "RSSI"
    case .trend: "TREND"
    case .packets: "PACKETS"
    case .rate: "PKT/S"
    case .extra: ""
    case .seen: "SEEN"
    }
  }

  /// The columns that rows can be sorted by; the keys 1, 2, … choose one.
  static let sortable: [Self] = [.kind, .name, .address, .signal, .packets, .rate, .seen]

  var isNumber: Bool {
    switch self {
    case .signal, .packets, .rate, .seen: true
    case .kind, .name, .address, .addressDetail, .trend, .extra: false
    }
  }

  /// The width, nil where the column takes what is left. Those that rows can be sorted by have room
  /// for the arrow behind their title.
  var fixedWidth: Int? {
    switch self {
    case .kind, .name: nil
    case .address: 17
    case .addressDetail: 15
    case .signal: 5
    case .trend: 8
    case .packets: 8
    case .rate: 6
    case .extra: 5
    case .seen: 5
    }
  }
}
