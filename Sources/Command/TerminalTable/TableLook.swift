/// A look of a piece of text.
public enum TableLook: Sendable, Equatable {
  /// As text is.
  case plain
  /// Heavier, and lighter.
  case bold, dim
  /// As ``marked`` in rows that are marked, else plain.
  case markable
  /// What is marked.
  case marked
  /// A level.
  case strong, middling, weak
  /// What must be seen.
  case alert

  /// The parameters of Select Graphic Rendition (ECMA-48 8.3.117).
  var graphics: String {
    switch self {
    case .plain, .markable: ""
    case .bold: "1"
    case .dim: "2"
    case .marked: "1;36"
    case .strong: "32"
    case .middling: "33"
    case .weak: "31"
    case .alert: "1;33"
    }
  }
}
