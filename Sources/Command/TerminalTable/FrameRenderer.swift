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
    let areas = state.areas
    let layout = TableLayout(
      width: state.size.columns, renamed: Set(state.snapshot.titles.keys),
      sorted: state.order.column)
    var lines: [FrameLine] = []
    if areas.hasTitle { lines.append(title(state)) }
    if state.showsHelp { return lines + help(state, height: state.size.rows - lines.count) }
    if areas.hasHeads { lines.append(heads(state, layout)) }
    let shown = state.rows.dropFirst(state.top).prefix(areas.rows)
    lines += shown.map { row($0, layout, isSelected: $0.id == state.selected) }
    if shown.isEmpty, areas.rows > 1 { lines += [FrameLine(), empty(state)] }
    let free = areas.rows - (lines.count - [areas.hasTitle, areas.hasHeads].count { $0 })
    lines += Array(repeating: FrameLine(), count: max(0, free))
    lines += pane(details, height: areas.details, state)
    if areas.hasMessage { lines.append(message(state)) }
    if areas.hasKeys { lines.append(keys(state)) }
    return Array(lines.prefix(max(0, state.size.rows)))
  }

  // MARK: Lines

  private func title(_ state: TableState) -> FrameLine {
    let all = state.snapshot.rows
    let trackers = all.count { $0.isTracker }
    let rate = all.reduce(0) { $0 + $1.rate }
    let shown = state.filter.isEmpty ? "" : "\(state.rows.count) of "
    var parts = [
      "\(shown)\(all.count) advertiser\(all.count == 1 ? "" : "s")",
      "\(trackers) tracker\(trackers == 1 ? "" : "s")",
      "\(NumberText.rate(rate)) packets/s",
    ]
    let source = clean(state.snapshot.source)
    if !source.isEmpty { parts.insert(source, at: 0) }
    let text = " " + parts.joined(separator: style.isUnicode ? " · " : " | ")
    var pieces = [FrameLine.Piece(start: 0, text: text, look: .bold)]
    let notice = (state.isPaused ? ["PAUSED"] : []) + [clean(state.snapshot.notice)]
    let alert = notice.filter { !$0.isEmpty }.joined(separator: ", ")
    if !alert.isEmpty {
      let start = max(0, state.size.columns - 2 - DisplayText.width(alert))
      pieces[0].text = truncate(text, to: max(0, start - 2))
      pieces.append(FrameLine.Piece(start: start, text: alert, look: .alert))
    }
    return FrameLine(pieces)
  }

  private func heads(_ state: TableState, _ layout: TableLayout) -> FrameLine {
    let pieces = layout.cells.map { cell in
      let title = state.snapshot.titles[cell.column] ?? cell.column.title
      guard cell.column == state.order.column else { return piece(title, cell, look: .plain) }
      let arrows = style.isUnicode ? ("▼", "▲") : ("v", "^")
      let arrow = state.order.isReversed ? arrows.1 : arrows.0
      return piece(truncate(title, to: cell.width - 1) + arrow, cell, look: .plain)
    }
    return FrameLine(pieces, isBar: true)
  }

  private func row(_ row: TableRow, _ layout: TableLayout, isSelected: Bool) -> FrameLine {
    var cells = layout.cells
    let name = clean(row.name ?? "")
    if name.isEmpty, cells.count > 1, cells[0].column == .kind, cells[1].column == .name {
      // What it is may take the place of a name that it has not.
      cells[0].width += 1 + cells[1].width
      cells.remove(at: 1)
    }
    var pieces = cells.map { cell in
      let (text, look) = content(of: cell.column, row)
      return piece(text, cell, look: look)
    }
    if isSelected { pieces.insert(FrameLine.Piece(start: 0, text: ">"), at: 0) }
    return FrameLine(pieces, isBar: isSelected)
  }

  private func empty(_ state: TableState) -> FrameLine {
    let text =
      state.snapshot.rows.isEmpty
      ? "Nothing heard yet" : "No matches; Esc clears the filter"
    return FrameLine([FrameLine.Piece(start: 2, text: text, look: .dim)])
  }

  private func pane(_ details: [String], height: Int, _ state: TableState) -> [FrameLine] {
    guard height > 0, let row = state.selectedRow else { return [] }
    let names = [row.kind, row.name ?? "", row.address].map(clean).filter { !$0.isEmpty }
    let head = FrameLine(
      [FrameLine.Piece(start: 1, text: names.joined(separator: "  "))], isBar: true)
    var lines = details
    if lines.count > height - 1 {
      let hidden = lines.count - (height - 2)
      lines =
        lines.prefix(height - 2) + ["  (\(hidden) more lines; make the window taller to see them)"]
    }
    lines += Array(repeating: "", count: max(0, height - 1 - lines.count))
    let text = style.isUnicode ? lines : lines.map { DisplayText.clean($0, asciiOnly: true) }
    return [head] + text.map { FrameLine([FrameLine.Piece(start: 0, text: $0)]) }
  }

  /// What is wrong with the filter that is being typed, or what can be typed.
  private func message(_ state: TableState) -> FrameLine {
    let width = state.size.columns - 2
    if let mistake = state.filter.mistake {
      let text = truncate("character \(mistake.position + 1): \(mistake.text)", to: width)
      return FrameLine([FrameLine.Piece(start: 1, text: clean(text), look: .alert)])
    }
    let text =
      switch state.filter.query {
      case .everything: "Words to look for, or a filter such as rssi > -60 && has(name)"
      case .words: "Rows with these words in WHAT, NAME or ADDRESS"
      case .expression, .mistake: "Rows for which this holds"
      }
    return FrameLine([FrameLine.Piece(start: 1, text: truncate(text, to: width), look: .dim)])
  }

  /// The keys and the filters, in place of the rows.
  private func help(_ state: TableState, height: Int) -> [FrameLine] {
    guard height > 0 else { return [] }
    var lines = HelpPage.lines(of: state).map { line in
      FrameLine([FrameLine.Piece(start: 1, text: line)])
    }
    lines = Array(lines.prefix(height - 1))
    lines += Array(repeating: FrameLine(), count: max(0, height - 1 - lines.count))
    let text = " Press any key to go back"
    return lines + [FrameLine([FrameLine.Piece(start: 0, text: text, look: .dim)])]
  }

  private func keys(_ state: TableState) -> FrameLine {
    let width = state.size.columns - 1
    if state.isEditingFilter {
      // The end of what is typed stays in sight.
      let typed = clean(state.filter.text)
      let room = width - " Filter: _".count
      let shown = room > 1 ? DisplayText.tail(typed, to: room, ellipsis: ellipsis) : ""
      let text = " Filter: \(shown)_"
      let help = state.filter.mistake == nil ? "Enter keeps it, Esc clears it" : "Esc clears it"
      var pieces = [FrameLine.Piece(start: 0, text: text, look: .bold)]
      if DisplayText.width(text) + help.count + 2 <= width {
        pieces.append(FrameLine.Piece(start: width - help.count, text: help, look: .dim))
      }
      return FrameLine(pieces)
    }
    var parts = [
      "q quit", "? help", "/ filter", state.filter.trackersOnly ? "t show all" : "t trackers only",
      state.isPaused ? "p resume" : "p pause", state.showsDetails ? "Enter close" : "Enter details",
      "s sort", "r reverse",
    ]
    if !state.filter.text.isEmpty {
      parts.insert("Esc clears '\(truncate(clean(state.filter.text), to: 40))'", at: 2)
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
    case .rate: (row.packets == 0 ? "" : NumberText.rate(row.rate), .plain)
    case .extra: (row.extra, .plain)
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
    DisplayText.truncate(text, to: width, ellipsis: ellipsis)
  }

  private var ellipsis: String { style.isUnicode ? "…" : "~" }
}
