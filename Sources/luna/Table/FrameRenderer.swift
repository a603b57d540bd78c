/// Draws the whole live table anew each time: no memory of what is on the screen, so nothing that
/// something else wrote there stays.
struct FrameRenderer: Sendable {
  var style: TableStyle

  /// The bytes of a frame.
  func bytes(of state: TableState) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, line) in lines(of: state).enumerated() {
      line.append(
        to: &bytes, row: index + 1, width: state.size.columns, isColored: style.isColored)
    }
    return bytes
  }

  /// Exactly as many lines as the terminal has.
  func lines(of state: TableState) -> [FrameLine] {
    let details = state.detailLines
    let areas = TableAreas(height: state.size.rows, details: details.count)
    let layout = TableLayout(width: state.size.columns)
    var lines: [FrameLine] = []
    if areas.hasTitle { lines.append(title(state)) }
    if areas.hasHeads { lines.append(heads(state, layout)) }
    let shown = state.rows.dropFirst(state.top).prefix(areas.rows)
    lines += shown.map { row($0, layout, isSelected: $0.id == state.selected) }
    if shown.isEmpty, areas.rows > 1 { lines += [FrameLine(), empty(state)] }
    let free = areas.rows - (lines.count - [areas.hasTitle, areas.hasHeads].count { $0 })
    lines += Array(repeating: FrameLine(), count: max(0, free))
    lines += pane(details, height: areas.details, state)
    if areas.hasKeys { lines.append(keys(state)) }
    return Array(lines.prefix(max(0, state.size.rows)))
  }

  // MARK: Lines

  private func title(_ state: TableState) -> FrameLine {
    let all = state.snapshot.rows
    let trackers = all.count { $0.isTracker }
    let rate = all.reduce(0) { $0 + $1.rate }
    var parts = [
      "q quit", "/ filter", state.filter.trackersOnly ? "t everything" : "t trackers", "s sort",
      "r reverse", state.isPaused ? "p go on" : "p pause",
      state.showsDetails ? "Enter close" : "Enter details",
    ]
    if !state.filter.text.isEmpty {
      parts.insert("Esc drop '\(clean(state.filter.text))'", at: 1)
    }
    var text = ""
    for part in parts where DisplayText.width(text) + DisplayText.width(part) + 2 <= width {
      text += (text.isEmpty ? " " : "  ") + part
    }
    return FrameLine([FrameLine.Piece(start: 0, text: text, look: .dim)])
  }

  // MARK: Cells

  private func content(of column: TableColumn, _ row: TableRow) -> (String, FrameLine.Look) {
    switch column {
    case .kind: (row.kind, row.isTracker ? .tracker : .plain)
    case .name: (row.name ?? "", .plain)
    case .address: (row.address.isEmpty ? "anonymous" : row.address, .plain)
    case .addressDetail: (row.addressDetail, .dim)
    case .signal: signal(row)
    case .trend: (Sparkline.bars(row.rssiHistory, count: 8, style: style), .dim)
    case .packets: (NumberText.count(row.packets), .plain)
    case .rate: (NumberText.rate(row.rate), .plain)
    case .seen: (NumberText.age(row.lastSeen), row.lastSeen >= 10 ? .dim : .plain)
    }
  }

  private func signal(_ row: TableRow) -> (String, FrameLine.Look) {
    guard let rssi = row.rssi else { return ("", .plain) }
    let look: FrameLine.Look = rssi >= -60 ? .near : rssi >= -80 ? .middling : .far
    return ("\(rssi)\(Sparkline.arrow(row.rssiHistory, style: style))", look)
  }

  private func piece(
    _ text: String, _ cell: TableLayout.Cell, look: FrameLine.Look
  ) -> FrameLine.Piece {
    let text = truncate(clean(text), to: cell.width)
    let shift = cell.column.isNumber ? cell.width - DisplayText.width(text) : 0
    return FrameLine.Piece(start: cell.start + shift, text: text, look: look)
  }

  private func clean(_ text: String) -> String {
    style.isUnicode
      ? DisplayText.clean(text)
      : DisplayText.clean(text, asciiOnly: true)
  }

  private func truncate(_ text: String, to width: Int) -> String {
    DisplayText.truncate(text, to: width, ellipsis: style.isUnicode ? "…" : "~")
  }
}
