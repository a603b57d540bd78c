public import Diagnosis

/// Why a broker cannot be used.
public struct MQTTError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, Sendable {
    /// The address makes no sense.
    case address
    /// libmosquitto is missing.
    case library
    /// A file with a certificate, a key or authorities cannot be used.
    case files
    /// The broker's name cannot be looked up.
    case notResolved
    /// Nobody answers there.
    case notConnected
    /// The broker does not let this client in.
    case refused
    /// The broker's certificate is not trusted, or it speaks no TLS.
    case notTrusted
    /// The connection broke.
    case lost
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
}
