import Bluetooth
import Diagnosis
import LunaProtocol

extension BuzzerError {
  static func notHeard(_ limit: Duration) -> BuzzerError {
    BuzzerError(
      .notHeard, "the tracker was not heard within \(limit.roundedSeconds) s",
      remedy: "move closer, or check its battery")
  }

  static func notConnectable(_ limit: Duration) -> BuzzerError {
    BuzzerError(
      .notConnectable,
      "the tracker was heard, and accepted no connections within \(limit.roundedSeconds) s",
      remedy: "it does so once in 64 s: wait longer, or press its button")
  }

  static func noMatch(_ count: Int, _ heid: HEID) -> BuzzerError {
    BuzzerError(
      .noMatchingPackage,
      count == 1
        ? "the package is not for what the tracker shows now (heid \(heid))"
        : "none of the \(count) packages is for what the tracker shows now (heid \(heid))",
      remedy: "it is another tracker, or they are for another time: make new ones with "
        + "\(.packages)")
  }

  /// The connection ended between a command and its answer.
  static func unanswered(_ error: GATTError) -> BuzzerError {
    BuzzerError(
      .noAnswer, "the tracker was told, and gave no answer: \(error)",
      remedy: "it may have obeyed; try again")
  }

  static func unansweredReset(_ error: GATTError) -> BuzzerError {
    BuzzerError(
      .noAnswer, "the tracker was told to forget its owner, and gave no answer: \(error)",
      remedy: "look with \(.following) whether it waits to be onboarded; if so, \(.forgetting) it")
  }

  /// The same, when a command had gone out.
  var afterSending: BuzzerError {
    BuzzerError(
      kind, reason + ", after the command was sent", remedy: remedy, receipt: receipt,
      isVerified: isVerified)
  }
}
