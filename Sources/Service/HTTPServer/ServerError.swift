import Glibc
import SafeText

/// Why a server cannot run.
public struct ServerError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// It cannot listen there.
    case address
    /// It may not listen there.
    case denied
    /// Somebody else listens there.
    case busy
    /// Certificate or key cannot be used.
    case certificate
    /// A library is missing.
    case library
    /// Something else.
    case failed
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened and why.
  public let reason: String
  /// What to do.
  public let hint: String?

  /// A failure.
  public init(_ kind: Kind, _ reason: String, hint: String? = nil) {
    self.kind = kind
    self.reason = EscapedText.line(reason)
    self.hint = hint.map(EscapedText.line)
  }

  static func listening(_ address: ListenAddress, _ code: Int32) -> ServerError {
    let reason = "cannot listen on \(address): \(String(cString: strerror(code)))"
    switch code {
    case EADDRINUSE:
      return ServerError(
        .busy, reason, hint: "find who does with: ss -ltnp 'sport = \(address.port)'")
    case EACCES:
      return ServerError(.denied, reason, hint: "use a port above 1023")
    default: return ServerError(.address, reason, hint: "use --listen HOST:PORT of this machine")
    }
  }
}

extension ServerError: CustomStringConvertible {
  /// Reason and hint in one line.
  public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
