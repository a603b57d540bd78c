import Testing

@testable import luna

@Suite struct RenamedColumnTests {
  /// `luna local` shows clock and battery where `luna scan` has the kind of address, and the battery.
  @Test(arguments: [80, 100, 140])
  func showsTheColumnsOfACommand(_ width: Int) {
    var state = TableState(size: TerminalSize(columns: width, rows: 10))
    var row = TableRow(id: 1)
    row.addressDetail = "+12.5 s"
    row.extra = "low"
    _ = state.handle(
      .snapshot(
        TableSnapshot(titles: [.addressDetail: "CLOCK", .extra: "BATT"], rows: [row])))
    let style = TableStyle(isColored: false, isUnicode: false)
    let frame = String(decoding: FrameRenderer(style: style).bytes(of: state), as: UTF8.self)
    for text in ["CLOCK", "BATT", "+12.5 s", "low"] { #expect(frame.contains(text)) }
    #expect(!frame.contains("TYPE"))
  }
}
