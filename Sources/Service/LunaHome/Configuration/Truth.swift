/// Kleene's three values.
enum Truth: String, Sendable {
  case yes, no, unknown

  init(_ value: Bool?) { self = value.map { $0 ? .yes : .no } ?? .unknown }

  static prefix func ! (truth: Truth) -> Truth {
    switch truth {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }

  /// True when all are, false when one is.
  static func all(_ values: [Truth]) -> Truth {
    values.contains(.no) ? .no : values.contains(.unknown) ? .unknown : .yes
  }

  /// True when one is, false when none can be.
  static func any(_ values: [Truth]) -> Truth {
    values.contains(.yes) ? .yes : values.contains(.unknown) ? .unknown : .no
  }
}
