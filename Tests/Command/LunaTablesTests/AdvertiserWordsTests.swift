import Diagnosis
import LunaDocuments
import Testing

@testable import LunaTables
@testable import TerminalTable

/// What a word behind `/` finds in the table of `luna scan`.
@Suite struct AdvertiserWordsTests {
  /// A SmartTag, an AirTag, what has a name, and what says who has made it.
  private static let data = [
    "02010417165afd13400d035fb98520be204cea27000000cb9dcd8d",
    "1eff4c00121910" + String(repeating: "21", count: 24), "05094c756e61", "06ff59000102aa",
  ]

  /// Which of them are shown when something was typed, counted from 1.
  private static func shown(_ keys: String) -> [Int] {
    let rows = AdvertiserRows(of: data)
    var state = TableState(
      TableDescription.advertisers { $0.reason }, size: TerminalSize(columns: 120, rows: 24))
    var decoder = KeyDecoder()
    for key in decoder.decode(keys.utf8) + decoder.flush() {
      _ = state.handle(.key(key))
      _ = state.handle(.snapshot(rows.snapshot(state.request)))
    }
    return state.rows.compactMap { Int($0.text(2).suffix(2), radix: 16) }.sorted()
  }

  /// The same as with `--filter`, families, kinds of devices and companies that the row does not name included; and
  /// what it shows.
  @Test(
    arguments: [
      ("/airtag\r", [2]), ("/smarttag", [1]), ("/samsung", [1]), ("/APPLE", [2]), ("/find", [2]),
      ("/lun", [3]), ("/nordic", [4]), ("/separated", [1, 2]), ("/00:03", [3]), ("/zzz", []),
      ("/samsung\u{1B}", [1, 2, 3, 4]), ("/airtag or lun", []), ("/airtag or nordic", [2, 4]),
    ] as [(String, [Int])])
  func findWhatTheFilterFinds(keys: String, numbers: [Int]) {
    #expect(Self.shown(keys) == numbers)
  }
}
