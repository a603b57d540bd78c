/// A field that frames of a family can have.
public struct BeaconField: Hashable, Sendable {
  /// What kind of value it has: the methods of ``BeaconFieldWriter``.
  public enum Kind: Sendable {
    /// One of a few words, or text.
    case text
    /// A number.
    case number
    /// Yes or no.
    case boolean
    /// Bytes, or a UUID: hexadecimal digits.
    case hex
  }

  /// The field's name in output and filters.
  public let name: String
  /// What kind of value it has.
  public let kind: Kind

  private init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  static func word(_ name: String) -> Self { Self(name, .text) }
  static func text(_ name: String) -> Self { Self(name, .text) }
  static func number(_ name: String) -> Self { Self(name, .number) }
  static func boolean(_ name: String) -> Self { Self(name, .boolean) }
  static func hex(_ name: String) -> Self { Self(name, .hex) }
  static func uuid(_ name: String) -> Self { Self(name, .hex) }
}
