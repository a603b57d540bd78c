import SafeText

/// Why a source cannot deliver: what happened, the likely cause, and what to do.
public struct SourceError: Error, Hashable, Sendable {
  /// The kinds, each with an exit code of its own in the command-line contract.
  public enum Kind: String, Sendable {
    /// There is no adapter, or not the one asked for.
    case noAdapter
    /// The adapter is there, and this process may not use it that way.
    case noPermission
    /// The adapter is not powered, or blocked by rfkill.
    case off
    /// Another program uses it in a way that excludes this one.
    case busy
    /// It worked, stopped, and could not be brought back.
    case lost
    /// A file that cannot be read, or not as what it is said to be.
    case unreadable
    /// The request makes no sense for this source.
    case invalid
  }

  /// The kind.
  public let kind: Kind
  /// What happened and why, in one clause without a full stop.
  public let reason: String
  /// What to do about it, in one clause; nil when there is nothing to say.
  public let hint: String?

  /// An error of `kind`.
  public init(_ kind: Kind, _ reason: String, hint: String? = nil) {
    self.kind = kind
    self.reason = EscapedText.line(reason)
    self.hint = hint.map(EscapedText.line)
  }
}

extension SourceError: CustomStringConvertible {
  /// Reason and hint in one line.
  public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
