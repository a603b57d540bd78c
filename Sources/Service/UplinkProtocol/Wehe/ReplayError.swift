public import Diagnosis

/// Why a replay came to no end (UPLINK.md, 5.4, 12).
public struct ReplayError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  public enum Kind: String, CaseIterable, Sendable {
    /// The port of the replay refuses every connection.
    case blocked
    /// The side channel cannot be opened.
    case connect
    /// The file of the server's certificate authority cannot be used.
    case authorities
    /// The server does not know the recording.
    case unknownRecording
    /// Another test runs from the same address.
    case addressBusy
    /// The server has no memory, disk or bandwidth left.
    case overloaded
    /// The server refuses for a reason of its own.
    case refused
    /// The connections of a replay come from several addresses.
    case ipFlip
    /// The server says something that it should not.
    case malformed
    /// The connection broke off, or the server says nothing more.
    case lost
    /// Somebody ended it.
    case cancelled
  }

  /// The kind of failure.
  public let kind: Kind
  /// What happened, and what to do.
  public let diagnosis: Diagnosis

  /// A failure.
  package init(_ kind: Kind, _ problem: String, remedy: Remedy? = nil) {
    self.kind = kind
    diagnosis = Diagnosis(problem, remedy: remedy)
  }

  /// The side channel cannot be opened, and this is why.
  package init(notOpened reason: String, remedy: Remedy? = "check its address and ports") {
    self.init(
      .connect, "the server's side channel cannot be opened: \(reason)", remedy: remedy)
  }

  /// A failure of which its kind says all.
  package init(_ kind: Kind) {
    switch kind {
    case .blocked:
      self.init(
        kind, "the port of the replay refuses every connection",
        remedy: "that may be the network's answer: try another one")
    case .connect:
      self.init(
        kind, "the server's side channel cannot be opened", remedy: "check its address and ports")
    case .authorities:
      self.init(
        kind, "the certificate authority cannot be read",
        remedy: "name a file in PEM that can be read")
    case .unknownRecording:
      self.init(
        kind, "the server does not know this recording",
        remedy: "name one that it has, or give it the files of this one")
    case .addressBusy:
      self.init(
        kind, "another test runs from this address",
        remedy: "wait until it is over; a test that broke off ends after five minutes")
    case .overloaded:
      self.init(kind, "the server is overloaded", remedy: "try again later, or name another server")
    case .refused: self.init(kind, "the server refuses", remedy: "name another server")
    case .ipFlip:
      self.init(
        kind, "the network gives connections different addresses",
        remedy: "use a server that is reached from one address alone")
    case .malformed:
      self.init(
        kind, "the server's answer is not what the protocol says",
        remedy: "check that it is a server of Wehe's")
    case .lost:
      self.init(kind, "the connection to the server was lost", remedy: "try again")
    case .cancelled: self.init(kind, "the test was ended")
    }
  }
}
