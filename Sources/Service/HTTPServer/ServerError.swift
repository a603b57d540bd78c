public import Diagnosis
import Glibc

/// Why a server cannot run.
public struct ServerError: Diagnosed, CustomStringConvertible, Hashable {
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
  /// What happened, why, and what to do.
  public let diagnosis: Diagnosis

  /// A failure of `kind`; what does not fit on one line is escaped.
  public init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }

  static func listening(_ address: ListenAddress, _ code: Int32) -> ServerError {
    let reason = "cannot listen on \(address): \(String(cString: strerror(code)))"
    switch code {
    case EADDRINUSE:
      return ServerError(
        .busy, reason, remedy: "find who does with: ss -ltnp 'sport = \(address.port)'")
    case EACCES:
      return ServerError(.denied, reason, remedy: "use a port above 1023")
    default: return ServerError(.address, reason, remedy: "use \(.listening) of this machine")
    }
  }
}
