/// The live table as a value: takes what happens, says what is to be done.
///
/// The selection stays with its row while the order changes. While the table is paused it shows
/// what there was; counting goes on elsewhere.
struct TableState: Sendable {
  /// What is shown.
  let table: TableDescription
  private(set) var order: TableOrder
  private(set) var filter: TableFilter
  private(set) var isEditingFilter = false
  private(set) var isPaused = false
  private(set) var showsDetails = false
  private(set) var showsHelp = false
  private(set) var selected: TableRow.ID? {
    didSet { if selected != oldValue { detailTop = 0 } }
  }
  /// The number of the first row in sight.
  private(set) var top = 0
  /// The number of the first line of the details in sight, and of the help.
  private(set) var detailTop = 0
  private(set) var helpTop = 0
  private(set) var size: TerminalSize
  private(set) var snapshot = TableSnapshot()
  /// The rows that pass the filter, in order.
  private(set) var rows: [TableRow] = []
  /// Where the selected row stood, for when it goes away.
  private var selectedIndex = 0

  init(_ table: TableDescription, size: TerminalSize) {
    self.table = table
    self.size = size
    order = TableOrder(column: table.order)
    filter = TableFilter(table)
  }

  /// What the next snapshot is to tell.
  var request: TableRequest {
    TableRequest(details: selected, filter: filter.expression, isPaused: isPaused)
  }

  var selectedRow: TableRow? { rows.first { $0.id == selected } }

  /// The lines of the details pane, empty if it is closed.
  var detailLines: [String] {
    guard showsDetails, let row = selectedRow else { return [] }
    let lines = DetailsText.lines(of: row, width: size.columns - 1)
    return lines.isEmpty ? ["  Nothing more is known."] : lines
  }

  var areas: TableAreas {
    TableAreas(height: size.rows, details: detailLines.count, hasMessage: isEditingFilter)
  }

  /// How many lines of the details can be in sight, below their heading.
  var detailRoom: Int { max(0, areas.details - 1) }

  /// The lines of the help, empty if it is closed.
  var helpLines: [String] { showsHelp ? HelpPage.lines(of: self) : [] }

  /// How many lines of the help can be in sight, between the title and the line that says how to
  /// go on.
  var helpRoom: Int { max(0, size.rows - (areas.hasTitle ? 2 : 1)) }

  /// Takes an event; nil when there is nothing to do.
  mutating func handle(_ event: TableEvent) -> TableAction? {
    switch event {
    case .resize(let size):
      self.size = size
      scroll()
    case .snapshot(let snapshot):
      self.snapshot.source = snapshot.source
      self.snapshot.notice = snapshot.notice
      if isPaused { takeNews(snapshot) } else { self.snapshot.rows = snapshot.rows }
      arrange()
    case .key(let key):
      return isEditingFilter ? edit(key) : press(key)
    }
    return .redraw
  }

  private mutating func press(_ key: Key) -> TableAction? {
    if showsHelp, key != .control("c") { return pressInHelp(key) }
    switch key {
    case .character("?"), .character("h"): (showsHelp, helpTop) = (true, 0)
    case .character("q"), .control("c"): return .quit
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp, .control("b"): page(by: -1)
    case .pageDown, .control("f"): page(by: 1)
    case .home, .character("g"): select(index: 0)
    case .end, .character("G"): select(index: rows.count - 1)
    case .enter: toggleDetails()
    case .escape: close()
    case .character("/"): isEditingFilter = true
    case .character("t"): refilter { $0.markedOnly.toggle() }
    case .character("p"), .character(" "): isPaused.toggle()
    case .character("s"): sort(by: neighbour(1))
    case .character("S"): sort(by: neighbour(-1))
    case .character("r"): reverse()
    case .character(let digit): return choose(digit)
    case .control("l"): return .redraw
    default: return nil
    }
    return .redraw
  }

  /// Keys that scroll do so where there is more of the help than fits; any other closes it.
  private mutating func pressInHelp(_ key: Key) -> TableAction? {
    if helpLines.count > helpRoom, let top = scrolledHelp(key) {
      helpTop = top
      scroll()
    } else {
      showsHelp = false
    }
    return .redraw
  }

  /// The line that a key brings to the top of the help, before it is held against the end; nil for
  /// one that does not scroll.
  private func scrolledHelp(_ key: Key) -> Int? {
    let page = max(1, helpRoom - 1)
    switch key {
    case .up, .character("k"): return helpTop - 1
    case .down, .character("j"): return helpTop + 1
    case .pageUp, .control("b"): return helpTop - page
    case .pageDown, .control("f"), .character(" "): return helpTop + page
    case .home, .character("g"): return 0
    case .end, .character("G"): return helpLines.count
    default: return nil
    }
  }

  private mutating func edit(_ key: Key) -> TableAction? {
    switch key {
    case .enter, .down, .up:
      // What cannot be read yet stays to be mended.
      if filter.mistake == nil { isEditingFilter = false }
    case .escape:
      isEditingFilter = false
      refilter { $0.text = "" }
    case .backspace:
      if filter.text.isEmpty { isEditingFilter = false } else { refilter { $0.text.removeLast() } }
    case .control("u"): refilter { $0.text = "" }
    case .control("w"): refilter { $0.text = Self.withoutLastWord($0.text) }
    case .control("c"): return .quit
    case .character(let character):
      // Longer than any filter: a slip with the clipboard.
      guard filter.text.utf8.count < 1000 else { return nil }
      refilter { $0.text.append(character) }
    default: return nil
    }
    return .redraw
  }

  private mutating func choose(_ digit: Character) -> TableAction? {
    guard let number = digit.wholeNumberValue, digit.isASCII,
      table.sortable.indices.contains(number - 1)
    else { return nil }
    let column = table.sortable[number - 1]
    if column == order.column { reverse() } else { sort(by: column) }
    return .redraw
  }

  private mutating func close() {
    if showsDetails {
      showsDetails = false
    } else if !filter.isEmpty {
      refilter {
        $0.text = ""
        $0.markedOnly = false
      }
    } else {
      selected = nil
      top = 0
    }
    scroll()
  }

  private mutating func toggleDetails() {
    if selectedRow == nil { select(index: top) }
    showsDetails = !showsDetails && selectedRow != nil
    detailTop = 0
    scroll()
  }

  private func neighbour(_ step: Int) -> Int {
    let columns = table.sortable
    guard !columns.isEmpty else { return order.column }
    let index = columns.firstIndex(of: order.column) ?? 0
    return columns[(index + step + columns.count) % columns.count]
  }

  private mutating func sort(by column: Int) {
    order = TableOrder(column: column)
    arrange()
  }

  private mutating func reverse() {
    order.isReversed.toggle()
    arrange()
  }

  private mutating func refilter(_ change: (inout TableFilter) -> Void) {
    change(&filter)
    arrange()
  }

  /// Filters and sorts anew; the selection follows its row, or stays where that one was.
  private mutating func arrange() {
    rows = order.sorted(filter.apply(to: snapshot.rows))
    if selected != nil {
      if let index = rows.firstIndex(where: { $0.id == selected }) {
        selectedIndex = index
      } else {
        select(index: selectedIndex)
      }
    }
    scroll()
  }

  private mutating func move(by step: Int) {
    if selected == nil {
      select(index: step > 0 ? top : top + areas.rows - 1)
    } else {
      select(index: selectedIndex + step)
    }
  }

  /// By what is in sight less a line: the details while they are open, else the rows.
  private mutating func page(by pages: Int) {
    if showsDetails {
      detailTop += pages * max(1, detailRoom - 1)
      scroll()
    } else {
      move(by: pages * max(1, areas.rows - 1))
    }
  }

  private mutating func select(index: Int) {
    selectedIndex = max(0, min(index, rows.count - 1))
    selected = rows.isEmpty ? nil : rows[selectedIndex].id
    scroll()
  }

  /// Keeps the selection in sight and no empty lines below the rows, the details and the help.
  private mutating func scroll() {
    detailTop = max(0, min(detailTop, detailLines.count - detailRoom))
    helpTop = max(0, min(helpTop, helpLines.count - helpRoom))
    let height = max(1, areas.rows)
    if selected != nil {
      top = min(top, selectedIndex)
      top = max(top, selectedIndex - height + 1)
    }
    top = max(0, min(top, rows.count - height))
  }

  /// While paused the rows stay, but whether they pass a filter that is new is to be told, and the
  /// selected row may have come without its details.
  private mutating func takeNews(_ fresh: TableSnapshot) {
    let news = Dictionary(fresh.rows.map { ($0.id, $0) }) { first, _ in first }
    for index in snapshot.rows.indices {
      guard let row = news[snapshot.rows[index].id] else { continue }
      snapshot.rows[index].passes = row.passes
      if snapshot.rows[index].id == selected, snapshot.rows[index].details.isEmpty {
        snapshot.rows[index].details = row.details
      }
    }
  }

  private static func withoutLastWord(_ text: String) -> String {
    var rest = text[...]
    while rest.last == " " { rest.removeLast() }
    while let last = rest.last, last != " " { rest.removeLast() }
    return String(rest)
  }
}
