/// How the lines of the terminal are shared out.
struct TableAreas: Sendable, Equatable {
  /// Whether there is room for the title, the column heads and the line about keys.
  let hasTitle: Bool
  let hasHeads: Bool
  let hasKeys: Bool
  /// How many rows can be shown.
  let rows: Int
  /// How many lines the details pane has with its heading, 0 without it.
  let details: Int

  /// - Parameters:
  ///   - height: the lines of the terminal.
  ///   - wanted: the lines that the details would fill, 0 if they are closed.
  init(height: Int, details wanted: Int) {
    hasHeads = height >= 2
    hasTitle = height >= 4
    hasKeys = height >= 5
    let body = height - [hasTitle, hasHeads, hasKeys].count { $0 }
    // A few rows stay in sight, so that one sees where one is.
    details = wanted == 0 || body < 4 ? 0 : min(wanted + 1, max(body / 2, body - 5))
    rows = max(0, body - details)
  }
}
