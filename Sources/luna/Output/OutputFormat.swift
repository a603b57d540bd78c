import CommandSpec

/// The forms of standard output.
enum OutputFormat: String, CaseIterable, Sendable {
  /// For people: a live table on a terminal, else plain columns.
  case table
  /// For programs: a JSON object on each line.
  case jsonl
  /// For spreadsheets: comma-separated values.
  case csv

  static var reader: ValueReader<OutputFormat?> { ValueReader<OutputFormat>.choice.map { $0 } }
}
