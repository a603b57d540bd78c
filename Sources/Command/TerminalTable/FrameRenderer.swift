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
      state.table.columns, width: state.size.columns, sorted: state.order.column)
    var lines: [FrameLine] = []
    if areas.hasTitle { lines.append(title(state)) }
    if state.showsHelp { return lines + help(state, height: state.size.rows - lines.count) }
    if areas.hasHeads { lines.append(heads(state, layout)) }
    let shown = state.rows.dropFirst(state.top).prefix(areas.rows)
    lines += shown.map { row($0, state, layout) }
    if shown.isEmpty, areas.rows > 1 { lines += ([FrameLine()] + empty(state)).prefix(areas.rows) }
    let free = areas.rows - (lines.count - [areas.hasTitle, areas.hasHeads].count { $0 })
    lines += Array(repeating: FrameLine(), count: max(0, free))
    lines += pane(details, height: areas.details, state)
    if areas.hasMessage { lines.append(message(state)) }
    if areas.hasKeys { lines.append(keys(state)) }
    return Array(lines.prefix(max(0, state.size.rows)))
  }

  private func title(_ state: TableState) -> FrameLine {
    let all = state.snapshot.rows
    let words = state.table.words
    let shown = state.filter.isEmpty ? "" : "\(state.rows.count) of "
    var parts = [
      shown + TableWords.counted(all.count, words.row),
      TableWords.counted(all.count { $0.isMarked }, words.marked),
      "\(NumberText.rate(all.reduce(0) { $0 + $1.rate })) \(words.rate)",
    ]
    let source = clean(state.snapshot.source)
    if !source.isEmpty { parts.insert(source, at: 0) }
    let text = " " + parts.joined(separator: style.isUnicode ? " · " : " | ")
    var pieces = [
      FrameLine.Piece(start: 0, text: truncate(text, to: state.size.columns - 1), look: .bold)
    ]
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
      let column = state.table.columns[cell.column]
      guard cell.column == state.order.column else {
        return piece(column.title, column, cell, look: .plain)
      }
      let arrows = style.isUnicode ? ("▼", "▲") : ("v", "^")
      let arrow = state.order.isReversed ? arrows.1 : arrows.0
      return piece(
        truncate(column.title, to: cell.width - 1) + arrow, column, cell, look: .plain)
    }
    return FrameLine(pieces, isBar: true)
  }

  private func row(_ row: TableRow, _ state: TableState, _ layout: TableLayout) -> FrameLine {
    let table = state.table
    var cells = layout.cells
    let isAlone = cells.count { table.columns[$0.column].width == nil } == 1
    // Where rows are sorted by it, it shows by what.
    let label = isAlone && cells[0].column != state.order.column ? row.label : nil
    if cells.count > 1, cells.prefix(2).allSatisfy({ table.columns[$0.column].width == nil }),
      clean(row.text(cells[1].column)).isEmpty
    {
      // The first may take the place of what the second has not.
      cells[0].width += 1 + cells[1].width
      cells.remove(at: 1)
    }
    var pieces = cells.enumerated().map { place, cell in
      let column = table.columns[cell.column]
      let value = place == 0 ? label.map { TableValue.text($0) } : nil
      let (text, look) = content(of: column, value ?? row.value(cell.column), table.scale)
      let shown = look == .markable ? row.isMarked ? .marked : .plain : look
      return piece(text.isEmpty ? column.placeholder : text, column, cell, look: shown)
    }
    let isSelected = row.id == state.selected
    if isSelected { pieces.insert(FrameLine.Piece(start: 0, text: ">"), at: 0) }
    return FrameLine(pieces, isBar: isSelected)
  }

  private func empty(_ state: TableState) -> [FrameLine] {
    let text =
      state.snapshot.rows.isEmpty
      ? state.table.words.nothing : "No matches; Esc clears the filter"
    // A position at the end stays free.
    return DisplayText.wrap(text, width: max(2, state.size.columns - 3)).map {
      FrameLine([FrameLine.Piece(start: 2, text: $0, look: .dim)])
    }
  }

  private func pane(_ details: [String], height: Int, _ state: TableState) -> [FrameLine] {
    guard height > 0, let row = state.selectedRow else { return [] }
    let names = state.table.names.map { clean(row.text($0)) }.filter { !$0.isEmpty }
    var head = [FrameLine.Piece(start: 1, text: names.joined(separator: "  "))]
    var lines = Array(details.dropFirst(state.detailTop).prefix(height - 1))
    if details.count > lines.count {
      // Where one is stands in the heading: a small terminal has no line to spare for it.
      let place = "\(Self.place(state.detailTop, lines.count, details.count)), PgUp PgDn"
      let start = max(0, state.size.columns - 2 - place.count)
      head[0].text = truncate(head[0].text, to: max(0, start - 3))
      head.append(FrameLine.Piece(start: start, text: place))
    }
    lines += Array(repeating: "", count: max(0, height - 1 - lines.count))
    let text = style.isUnicode ? lines : lines.map { DisplayText.clean($0, asciiOnly: true) }
    return [FrameLine(head, isBar: true)]
      + text.map { FrameLine([FrameLine.Piece(start: 0, text: $0)]) }
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
      case .everything:
        "Words to look for"
          + (state.table.language.map { ", or a filter such as " + $0.example } ?? "")
      case .words: "Rows with these words in \(state.table.searched)"
      case .expression, .mistake: "Rows for which this holds"
      }
    return FrameLine([FrameLine.Piece(start: 1, text: truncate(text, to: width), look: .dim)])
  }

  /// The keys and the filters, in place of the rows.
  private func help(_ state: TableState, height: Int) -> [FrameLine] {
    guard height > 0 else { return [] }
    let all = state.helpLines
    var lines = all.dropFirst(state.helpTop).prefix(height - 1).map { line in
      FrameLine([FrameLine.Piece(start: 1, text: line)])
    }
    let text =
      lines.count == all.count
      ? " Press any key to go back"
      : " \(Self.place(state.helpTop, lines.count, all.count)), PgUp PgDn, Esc closes"
    lines += Array(repeating: FrameLine(), count: max(0, height - 1 - lines.count))
    return lines + [FrameLine([FrameLine.Piece(start: 0, text: text, look: .dim)])]
  }

  /// Which lines of all are in sight: `9-16 of 30`.
  private static func place(_ top: Int, _ count: Int, _ all: Int) -> String {
    "\(top + 1)-\(top + count) of \(all)"
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
      "q quit", "? help", "/ filter",
      state.filter.markedOnly ? "t show all" : "t \(state.table.words.marked.many) only",
      state.isPaused ? "p resume" : "p pause", state.showsDetails ? "Enter close" : "Enter details",
      "s sort", "r reverse",
    ]
    if !state.filter.text.isEmpty {
      parts.insert("Esc clears '\(truncate(clean(state.filter.text), to: 40))'", at: 2)
    }
    let below = state.rows.count - state.top - state.areas.rows
    let more = below > 0 ? "+\(below) below" : ""
    let room = more.isEmpty ? width : width - more.count - 2
    var text = ""
    for part in parts where DisplayText.width(text) + DisplayText.width(part) + 2 <= room {
      text += (text.isEmpty ? " " : "  ") + part
    }
    var pieces = [FrameLine.Piece(start: 0, text: text, look: .dim)]
    if !more.isEmpty, room > 0 {
      pieces.append(FrameLine.Piece(start: width - more.count, text: more))
    }
    return FrameLine(pieces)
  }

  private func content(
    of column: TableColumn, _ value: TableValue, _ scale: TableScale
  ) -> (String, TableLook) {
    switch value {
    case .text(let text): (text, column.look)
    case .count(let count): (NumberText.count(count), column.look)
    case .rate(let rate): (rate.map(NumberText.rate) ?? "", column.look)
    case .age(let age): (NumberText.age(age), age >= 10 ? .dim : column.look)
    case .level(let last, let history):
      TableValue.shownLevel(last, history).map { level in
        ("\(level)\(Sparkline.arrow(history, style: style))", scale.look(of: level))
      } ?? ("", column.look)
    case .bars(let history):
      (Sparkline.bars(history, count: column.width ?? 8, scale.bars, style: style), column.look)
    }
  }

  private func piece(
    _ text: String, _ column: TableColumn, _ cell: TableLayout.Cell, look: TableLook
  ) -> FrameLine.Piece {
    let text = truncate(clean(text), to: cell.width)
    let shift = column.isNumber ? cell.width - DisplayText.width(text) : 0
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

extension TableRow {
  /// What the rates of the row add up to.
  fileprivate var rate: Double {
    values.reduce(0) { sum, value in
      if case .rate(let rate?) = value { sum + rate } else { sum }
    }
  }
}
