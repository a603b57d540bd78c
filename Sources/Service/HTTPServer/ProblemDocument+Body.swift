public import LunaJSON

extension ProblemDocument {
  /// A body with more bytes than are taken.
  public static func bodyTooLarge(_ limit: Int) -> ProblemDocument {
    ProblemDocument(
      413, "bodyTooLarge", "The body is too large.",
      detail: "at most \(limit) bytes are taken; send smaller batches")
  }
}
