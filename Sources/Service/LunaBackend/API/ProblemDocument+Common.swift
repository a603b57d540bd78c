import Diagnosis
import LunaCore
import LunaJSON

extension ProblemDocument {
  static let unauthorized = ProblemDocument(
    401, "unauthorized", "A token is needed.",
    detail: "send the header Authorization: Bearer TOKEN with a token that is not revoked")

  static let unknownToken = ProblemDocument(
    401, "unauthorized", "A token is needed.",
    detail: "the header Authorization has no bearer token that is known here and not revoked")

  static let accountNeeded = ProblemDocument(
    403, "accountNeeded", "This is for accounts.", detail: "a token has no account")

  /// A token that is not good.
  static func invalidToken(_ reason: String) -> ProblemDocument {
    ProblemDocument(401, "invalidToken", "This token is not good.", detail: reason)
  }

  /// A good token of somebody whom nobody here knows.
  static func unknownSubject(_ subject: ForeignSubject) -> ProblemDocument {
    var problem = ProblemDocument(
      403, "unknownSubject", "Nobody here knows whose token this is.",
      detail: "\(subject.subject) of \(subject.issuer) stands for no account, gateway or owner")
    problem.members = [
      "issuer": .string(subject.issuer), "subject": .string(subject.subject),
      "hint": .string("who runs this backend uses \(Remedy.Step.linkIdentity)"),
    ]
    return problem
  }

  /// A token whose issuer has to be asked, and cannot be.
  static func issuerUnavailable(_ reason: String) -> ProblemDocument {
    ProblemDocument(
      503, "issuerUnavailable", "Nobody can tell now whether this token is good.", detail: reason,
      retryAfter: 5)
  }

  static func forbidden(_ access: Access) -> ProblemDocument {
    let needed =
      switch access {
      case .open: "nothing is needed"
      case .only(let role): "a token of the kind \(role.rawValue) is needed"
      case .holder: "a gateway, an owner or an account is needed"
      case .role(let role):
        "an account or an admin's token with the role \(role.rawValue) is needed"
      case .session: "an account that is signed in by a browser is needed"
      }
    let title =
      if case .only = access {
        "This token is for something else."
      } else {
        "This is not allowed to who calls."
      }
    return ProblemDocument(403, "forbidden", title, detail: needed)
  }

  static func tooMany(_ seconds: Int) -> ProblemDocument {
    ProblemDocument(
      429, "rateLimited", "Too many requests.", detail: "the limit is for each token",
      retryAfter: max(1, seconds))
  }

  /// What a caller is told when the storage fails. The reason is for the log: it names files.
  init(_ error: StorageError) {
    switch error.kind {
    case .overloaded:
      self.init(
        503, "overloaded", "The server is busy.", detail: "more is waiting than is allowed",
        retryAfter: 1)
    case .full:
      self.init(
        503, "storageFull", "The server cannot store anything.", detail: "its disk is full",
        retryAfter: 60)
    case .unavailable:
      self.init(503, "storageUnavailable", "The server's storage is busy.", retryAfter: 5)
    case .limit:
      self.init(
        429, "limit", "There are too many already.", detail: error.reason, retryAfter: 60)
    case .replaced:
      self.init(
        503, "storageReplaced", "The server cannot store anything.",
        detail: "it must be started anew", retryAfter: 60)
    case .denied, .damaged, .foreign, .outdated, .malformed, .missing, .absent, .exists, .failed,
      .differs:
      // Not for the caller to mend; a gateway keeps what it has until somebody did.
      self.init(503, "storage", "The server's storage failed.", retryAfter: 60)
    }
  }
}
