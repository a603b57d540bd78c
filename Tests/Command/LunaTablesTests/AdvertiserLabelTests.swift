import Diagnosis
import LunaDocuments
import Testing

@testable import LunaTables
@testable import TerminalTable

/// What stands first in a row of `luna scan` on a terminal that has no room for names.
@Suite struct AdvertiserLabelTests {
  /// What has a name, the same with who made it, a maker alone, and an AirTag.
  private static let data = [
    "05094c756e61", "05094465736b06ff59000102aa", "06ff59000102aa",
    "1eff4c00121910" + String(repeating: "21", count: 24),
  ]

  private static func labels(width: Int, keys: String = "") -> [String] {
    let rows = AdvertiserRows(of: data)
    var state = TableState(
      TableDescription.advertisers { $0.reason }, size: TerminalSize(columns: width, rows: 24))
    _ = state.handle(.snapshot(rows.snapshot(state.request)))
    var decoder = KeyDecoder()
    for key in decoder.decode(keys.utf8) + decoder.flush() { _ = state.handle(.key(key)) }
    let lines = FrameRenderer(style: TableStyle(isColored: false)).lines(of: state)
    return lines.dropFirst(2).prefix(data.count).map { line in
      line.pieces.first { $0.start == 2 }?.text ?? ""
    }
  }

  @Test func namesWhatIsOfNoFamily() {
    #expect(
      Self.labels(width: 40).sorted() == ["AirTag (sepa…", "Desk", "Luna", "Nordic Semic…"])
  }

  /// With a column for names, the first one is about who made it.
  @Test func hasTheMakerWhereNamesHaveAColumn() {
    #expect(!Self.labels(width: 120).contains("Desk"))
  }

  /// Whoever sorts by a column sees by what.
  @Test func showsWhatRowsAreSortedBy() {
    #expect(!Self.labels(width: 40, keys: "1").contains("Desk"))
  }
}
