import CTLS
package import Diagnosis

/// Why TLS cannot be spoken with somebody.
package struct TLSError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  package enum Kind: String, CaseIterable, Sendable {
    /// libssl is missing, or cannot be used.
    case library
    /// A file with a certificate, a key or authorities cannot be used.
    case files
    /// Nobody who is trusted vouches for the other side.
    case notTrusted
    /// The certificate of the other side is for another name.
    case otherName
    /// What the other side speaks is not TLS.
    case notSpoken
    /// The connection ended, and nobody has taken leave.
    case cut
    /// The two sides do not agree.
    case failed
  }

  /// The kind of failure.
  package let kind: Kind
  /// What happened, why, and what to do.
  package let diagnosis: Diagnosis

  init(_ outcome: ctls_outcome, because reason: String) {
    switch outcome {
    case ctls_cut:
      self.init(.cut, "the connection broke off: \(reason)", remedy: "try again")
    case ctls_not_trusted:
      self.init(
        .notTrusted, "the server's certificate is not trusted: \(reason)",
        remedy: "name the file of its certificate authority, and check this machine's clock")
    case ctls_other_name:
      self.init(
        .otherName, "the server's certificate is for another name: \(reason)",
        remedy: "use a name that is in the certificate")
    case ctls_not_spoken:
      self.init(
        .notSpoken, "no TLS is spoken there: \(reason)", remedy: "check the port")
    case ctls_bad_files:
      self.init(
        .files, "what TLS needs cannot be read: \(reason)",
        remedy: "name files in PEM that can be read")
    default: self.init(.failed, "TLS failed: \(reason)", remedy: "check both sides' versions")
    }
  }

  init(_ kind: Kind, _ reason: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(reason, remedy: remedy)
  }
}
