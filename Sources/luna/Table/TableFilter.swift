/// What the user wants to see of the rows.
struct TableFilter: Sendable, Equatable {
  /// Words that must all occur in what a row is, its name or its address.
  var text = ""
  var trackersOnly = false

  var isEmpty: Bool { text.isEmpty && !trackersOnly }

  func apply(to rows: [TableRow]) -> [TableRow] {
    if isEmpty { return rows }
    let words = text.lowercased().split(separator: " ").map(String.init)
    return rows.filter { row in
      if trackersOnly, !row.isTracker { return false }
      if words.isEmpty { return true }
      let text = [row.kind, row.name ?? "", row.address, row.addressDetail]
        .joined(separator: "\n").lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }
}
