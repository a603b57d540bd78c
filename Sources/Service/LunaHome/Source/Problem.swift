import SafeText

/// Something wrong in a home's file, and where.
public struct Problem: Hashable, Sendable {
  /// How bad it is.
  public enum Level: String, Sendable {
    /// The file cannot be used.
    case error
    /// The file can be used, perhaps not as it was meant.
    case warning
  }

  /// What is wrong, as a word for programs.
  public enum Code: String, Sendable, CaseIterable {
    case syntax, missingComma, extraClose, duplicateKey, unknownKey, wrongType, missing, range
    case unknownReference, duplicateId, unknownClass, notNotifiable, notSchedulable, badTime
    case badZone, badFilter, forgeable, secretInFile, newerVersion, unsafeListen, missingLibrary
  }

  /// How bad it is.
  public let level: Level
  /// What is wrong.
  public let code: Code
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int
  /// The value in question, as a JSON pointer (RFC 6901).
  public let path: String
  /// What is wrong, in one clause. Words of the file are escaped.
  public let reason: String
  /// What to do about it; nil where the reason says it.
  public let hint: String?

  init(
    _ level: Level, _ code: Code, _ position: SourcePosition, path: String, reason: String,
    hint: String?
  ) {
    self.level = level
    self.code = code
    line = position.line
    column = position.column
    self.path = path
    self.reason = EscapedText.line(reason)
    self.hint = hint.map(EscapedText.line)
  }

  /// The problem as a compiler would print it.
  ///
  /// - Parameter file: how the file is called; it is escaped.
  public func description(file: String) -> String {
    "\(ForeignText(file)):\(line):\(column): \(level.rawValue) \(code.rawValue): \(reason)"
      + (hint.map { "; hint: \($0)" } ?? "")
  }
}
