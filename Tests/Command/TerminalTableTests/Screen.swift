import Testing

@testable import TerminalTable

/// As much of a terminal as the frames need: what they leave on the screen.
///
/// A sequence that it does not know, or a character outside the screen, is a failure of the test.
struct Screen {
  /// What a cell holds; the second half of a wide sign holds nothing.
  private struct Cell: Equatable {
    var text = " "
    var graphics = ""
  }

  private var cells: [[Cell]]
  private var row = 0
  private var column = 0
  private var graphics = ""
  let size: TerminalSize

  init(size: TerminalSize) {
    self.size = size
    // What was there before must be gone afterwards.
    cells = Array(
      repeating: Array(repeating: Cell(text: "#"), count: max(1, size.columns)),
      count: max(1, size.rows))
  }

  /// The lines without the spaces at their ends.
  var lines: [String] {
    cells.map { line in
      let text = line.map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The graphics of the cell at which a text begins, nil where it does not stand.
  func graphics(of text: String) -> String? {
    for line in cells {
      for start in line.indices where line[start...].map(\.text).joined().hasPrefix(text) {
        return line[start].graphics
      }
    }
    return nil
  }

  mutating func feed(_ bytes: [UInt8]) throws {
    let scalars = Array(try #require(String(validating: bytes, as: UTF8.self)).unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if scalar != "\u{1B}" {
        try put(scalar)
        continue
      }
      try #require(index < scalars.count && scalars[index] == "[")
      var parameters = ""
      index += 1
      while index < scalars.count, (0x20...0x3F).contains(scalars[index].value) {
        parameters.unicodeScalars.append(scalars[index])
        index += 1
      }
      try #require(index < scalars.count)
      try perform(scalars[index], parameters)
      index += 1
    }
  }

  private mutating func perform(_ final: Unicode.Scalar, _ parameters: String) throws {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? -1 }
    switch final {
    case "H":
      try #require(numbers.count == 2 && numbers[0] > 0 && numbers[1] > 0)
      (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case "G":
      try #require(numbers.count == 1 && numbers[0] > 0)
      // Only ever forward: what is passed over has been drawn.
      try #require(numbers[0] - 1 == column, "piece at \(numbers[0]), drawn up to \(column)")
    case "K":
      try #require(parameters.isEmpty && graphics.isEmpty)
      for column in column..<max(column, cells[row].count) { cells[row][column] = Cell() }
    case "m":
      graphics = parameters == "0" ? "" : parameters
    default:
      Issue.record("unknown sequence ending in \(final)")
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) throws {
    try #require(scalar.value >= 0x20 && scalar.value != 0x7F, "control character")
    let width = DisplayText.width(String(scalar))
    try #require(row < size.rows && column + width <= size.columns, "outside at \(row), \(column)")
    if width == 0 {
      cells[row][max(0, column - 1)].text.unicodeScalars.append(scalar)
      return
    }
    cells[row][column] = Cell(text: String(scalar), graphics: graphics)
    if width == 2 { cells[row][column + 1] = Cell(text: "", graphics: graphics) }
    column += width
  }
}
