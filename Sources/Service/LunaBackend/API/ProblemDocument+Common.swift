import LunaCore

extension ProblemDocument {
  static func mediaType(_ detail: String) -> ProblemDocument {
    ProblemDocument(
      415, "mediaType", "The form of the body is not supported.", detail: detail)
  }

  static func malformed(_ error: FormatError) -> ProblemDocument {
    ProblemDocument(
      400, "malformedBody", "The body is not what this endpoint takes.", detail: error.description)
  }

  static let unauthorized = ProblemDocument(
    401, "unauthorized", "A token is needed.",
    detail: "send the header Authorization: Bearer TOKEN with a token that is not revoked")

  static func forbidden(_ needed: TokenRole) -> ProblemDocument {
    ProblemDocument(
      403, "forbidden", "This token is for something else.",
      detail: "a token of the kind \(needed.rawValue) is needed")
  }

  static func tooMany(_ seconds: Int) -> ProblemDocument {
    ProblemDocument(
      429, "rateLimited", "Too many requests.", detail: "the limit is for each token",
      retryAfter: max(1, seconds))
  }

  static func notFound(_ what: String) -> ProblemDocument {
    ProblemDocument(404, "notFound", "There is no such thing.", detail: what)
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
    case .denied, .damaged, .foreign, .outdated, .malformed, .missing, .exists, .failed:
      // Not for the caller to mend; a gateway keeps what it has until somebody did.
      self.init(503, "storage", "The server's storage failed.", retryAfter: 60)
    }
  }
}
