import Diagnosis
import LunaProtocol

extension BuzzerError {
  /// What an answer that is no success means, and what to do.
  ///
  /// - Parameters:
  ///   - format: of the package.
  ///   - mayHaveArrived: whether an earlier attempt was sent and its answer lost.
  static func answer(
    _ judgement: ControlJudgement, _ bytes: [UInt8], to format: ControlFormat,
    mayHaveArrived: Bool
  ) -> BuzzerError {
    let isVerified = if case .verified = judgement { true } else { false }
    func error(_ kind: Kind, _ reason: String, _ remedy: Remedy?) -> BuzzerError {
      let doubt = isVerified || kind == .forged || kind == .malformed
      return BuzzerError(
        kind, doubt ? reason : reason + " (unauthenticated: it proves nothing)", remedy: remedy,
        receipt: bytes, isVerified: isVerified)
    }
    guard let code = judgement.status else {
      return judgement == .forged
        ? error(
          .forged, "the answer does not come from this tracker: its authentication is wrong",
          "somebody may be impersonating it; move closer and try again")
        : error(
          .malformed, "the answer has \(bytes.count) bytes, so it is not a receipt", faultyRemedy)
    }
    switch (ControlStatus(rawValue: code), format) {
    case (.unauthorized, .deferred):
      return error(
        .unauthorized, "the tracker refuses the package: it is not from its owner",
        "make packages with the keys of this tracker: \(.packages)")
    case (.unauthorized, .interactive):
      return error(
        .unauthorized, "the tracker refuses the command: it is not from its owner",
        "the keys here may be outdated; import those from its last onboarding")
    case (.stale, _) where mayHaveArrived:
      return error(
        .alreadyExecuted,
        "the tracker has executed the command already, or has seen a newer one; the answer to an "
          + "earlier attempt was lost", "send it again if nothing came of it")
    case (.stale, .deferred):
      return error(
        .stale, "the tracker has executed this package already, or has seen a newer command",
        "make new packages: \(.packages)")
    case (.stale, .interactive):
      return error(
        .stale, "the tracker has seen a command with a higher counter than this one",
        "check the clock of this machine; if the keys are in use elsewhere, check that one too")
    case (.wrongPeriod, _):
      return error(
        .wrongPeriod, "the package is for another period than the tracker is in",
        "the clock of the tracker may be off; go near and use \(.clock)")
    case (.unsupported, _):
      return error(
        .unsupported, "the tracker does not know the command, or has no owner",
        "if it was reset, forget it and onboard it again")
    case (.busy, _):
      return error(.busy, "the tracker is starting or updating", "try again in a minute")
    case (.limited, _):
      return error(
        .limited, "the tracker has executed too many commands within a minute",
        "try again in a minute")
    case (.length, _):
      return error(.refused, "the tracker received a package of a wrong length", "try again")
    case (.done, _), (nil, _):
      return error(
        .refused, "the tracker answered with status \(code), which makes no sense", faultyRemedy)
    }
  }
}
