@testable import luna

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
    TableRow(id: 5, packets: 7, rate: 0.2, lastSeen: 4000),
    TableRow(
      id: 6, kind: "google-find-hub", isTracker: true,
      name: "A very long name that no column can hold in full", address: "7C:00:00:00:00:02",
      addressDetail: "random resolvable", rssi: -59, rssiHistory: [-59], packets: 3, rate: 1,
      lastSeen: 11),
  ]

  static let snapshot = TableSnapshot(source: "hci0, observe", rows: rows)

  static func state(
    _ columns: Int, _ lines: Int, keys: String = "", snapshot: TableSnapshot = snapshot
  ) -> TableState {
    var state = TableState(size: TerminalSize(columns: columns, rows: lines))
    _ = state.handle(.snapshot(snapshot))
    var decoder = KeyDecoder()
    for key in decoder.decode(keys.utf8) + decoder.flush() { _ = state.handle(.key(key)) }
    return state
  }
}
