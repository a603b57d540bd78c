/// A company identifier (Assigned Numbers, 7), which begins manufacturer data.
public struct CompanyIdentifier: RawRepresentable, Hashable, Sendable {
  /// The assigned number, which stands on the air with its lower octet first.
  public let rawValue: UInt16

  /// An identifier from its number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// An identifier from its number.
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The company's name; nil when the number is not assigned.
  public var name: String? { NameTable.companies.name(for: rawValue) }

  /// The names of all companies, by number.
  package static var allNames: [String] { NameTable.companies.names }
}
