/// The lines of the details pane.
enum DetailsText {
  /// Label and value of every detail; long values go on below themselves.
  static func lines(of row: TableRow, width: Int) -> [String] {
    let labels = row.details.map { DisplayText.clean($0.label) }
    let column = min(labels.map(DisplayText.width).max() ?? 0, max(0, width / 3)) + 2
    return zip(labels, row.details).flatMap { label, detail in
      let value = DisplayText.wrap(DisplayText.clean(detail.value), width: width - column - 2)
      let head = DisplayText.truncate(label, to: column - 2)
      return value.enumerated().map { index, part in
        let start = "  " + (index == 0 ? head : "")
        return start + String(repeating: " ", count: column + 2 - DisplayText.width(start)) + part
      }
    }
  }
}
