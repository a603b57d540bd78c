import CommandSpec
import Glibc
import LunaTables

/// The forms of standard output.
enum OutputFormat: String, CaseIterable, Sendable {
  /// For people: a live table on a terminal, else plain columns.
  case table
  /// For programs: a JSON object on each line.
  case jsonl
  /// For spreadsheets: comma-separated values.
  case csv

  /// What is asked for, else what suits who reads standard output.
  static func chosen(_ given: OutputFormat?) -> OutputFormat {
    given ?? (isatty(STDOUT_FILENO) == 1 ? .table : .jsonl)
  }

  /// The same for a list.
  var ofList: Listing.Form {
    switch self {
    case .table: .table
    case .jsonl: .jsonl
    case .csv: .csv
    }
  }

  /// `--format`.
  ///
  /// - Parameter forms: those that the command has.
  static func option<Options>(
    _ place: Field<Options, OutputFormat?>, of forms: [OutputFormat] = allCases
  ) -> Option<Options> {
    let names = forms.map(\.rawValue)
    let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    return .value(
      "format", "FORMAT", list, place,
      ValueReader<OutputFormat>.choice(forms.map { (Choice($0.rawValue), $0) })
    ).defaulting(to: forms.contains(.table) ? "table on a terminal, else jsonl" : "jsonl")
      .fromEnvironment("LUNA_FORMAT")
  }
}
