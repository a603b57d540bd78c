/// What a statement gave in one row. Columns are counted from 0, in the order of the statement.
public struct StorageRow: Hashable, Sendable {
  /// The values of its columns, in the order of the statement.
  public let values: [StorageValue]

  /// A row of these values; asking for a column that it has not ends the program.
  public init(_ values: [StorageValue]) { self.values = values }

  /// Whether a column is NULL.
  public func isNull(_ column: Int) -> Bool { values[column] == .null }

  /// A column as a whole number; nil for NULL.
  public func optionalInteger(_ column: Int) -> Int64? {
    if case .integer(let number) = values[column] { number } else { nil }
  }

  /// A column as a whole number; 0 for NULL.
  public func integer(_ column: Int) -> Int64 { optionalInteger(column) ?? 0 }

  /// A column as a number; nil for NULL.
  public func optionalReal(_ column: Int) -> Double? {
    switch values[column] {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .null, .text, .bytes: nil
    }
  }

  /// A column as a text; nil for NULL.
  public func optionalText(_ column: Int) -> String? {
    if case .text(let text) = values[column] { text } else { nil }
  }

  /// A column as a text; empty for NULL.
  public func text(_ column: Int) -> String { optionalText(column) ?? "" }

  /// A column as bytes; nil for NULL.
  public func optionalBytes(_ column: Int) -> [UInt8]? {
    if case .bytes(let bytes) = values[column] { bytes } else { nil }
  }

  /// A column as bytes; none for NULL.
  public func bytes(_ column: Int) -> [UInt8] { optionalBytes(column) ?? [] }
}
