/// How the lines of the terminal are shared out.
struct TableAreas: Sendable, Equatable {
  /// Whether there is room for the title, the column heads and the line about keys.
  let hasTitle: Bool
  let hasHeads: Bool
  let hasKeys: Bool
  /// Whether there is a line about the filter that is being typed, above the last one.
  let hasMessage: Bool
  /// How many rows can be shown.
  let rows: Int
  /// How many lines the details pane has with its heading, 0 without it.
  let details: Int

  /// - Parameters:
  ///   - height: the lines of the terminal.
  ///   - wanted: the lines that the details would fill, 0 if they are closed.
  ///   - hasMessage: whether there is something to say above the last line.
  init(height: Int, details wanted: Int, hasMessage: Bool = false) {
    hasHeads = height >= 2
    hasTitle = height >= 4
    hasKeys = height >= 5
    self.hasMessage = hasMessage && height >= 6
    let body = height - [hasTitle, hasHeads, hasKeys, self.hasMessage].count { $0 }
    // Half of it for the details, so that little moves when another row is selected; more where
    // they need it, but a few rows stay in sight.
    let half = body / 2
    details = wanted == 0 || body < 4 ? 0 : max(half, min(wanted + 1, body - 5))
    rows = max(0, body - details)
  }
}
