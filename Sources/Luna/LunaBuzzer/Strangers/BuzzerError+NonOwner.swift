import Bluetooth
import Diagnosis
import LunaCore
import LunaProtocol

extension BuzzerError {
  /// A non-owner's request was refused with a status.
  static func nonOwner(
    _ status: NonOwnerStatus, to opcode: UInt16, _ kind: NonOwnerProtocol
  ) -> BuzzerError {
    let says = "it answers \(status) (\(kind.title))"
    switch (status, opcode) {
    case (.invalidState, DULTOpcode.soundStop):
      return BuzzerError(
        .refused, "there is no sound of this connection to be stopped: \(says)",
        remedy: "only the one who made it sound can stop it; it stops by itself within 30 s")
    case (.invalidState, _):
      return BuzzerError(
        .notSeparated,
        "it does not sound now: \(says); it sounds already, or is not separated from its owner",
        remedy: separation)
    case (.invalidCommand, _):
      return BuzzerError(
        .notSeparated, "it obeys nobody but its owner now: \(says)", remedy: separation)
    default:
      return BuzzerError(
        .refused, "it refuses: \(says)",
        remedy: "try again; if it stays so, it rings for nobody but its owner")
    }
  }

  private static let separation: Remedy =
    "trackers ring for strangers only while separated from their owner, which takes some 30 minutes "
    + "without the owner's phone; keep it with you and try again"

  static func nothingForStrangers(_ offered: [GATTCharacteristic]) -> BuzzerError {
    var remedy: Remedy = "look for it by its signal: \(.scan)"
    // Fast Pair, of which only the owner's account key rings (Fast Pair specification, 0xFE2C).
    if offered.contains(where: { $0.service.means(.bit16(0xFE2C)) }) {
      remedy = "under Google's Fast Pair only its owner can ring it; " + remedy
    }
    return BuzzerError(
      .notOffered,
      "it offers no sound to strangers: neither IETF DULT, nor Apple's Find My, nor AirTag",
      remedy: remedy)
  }

  /// What came, or did not, in the place of an answer.
  static func noResponse(within limit: Duration, nonsense: [UInt8]?) -> BuzzerError {
    if let nonsense {
      let start = Array(nonsense.prefix(20))
      let text = start.isEmpty ? "nothing at all" : Hex.lower(start.span)
      return BuzzerError(
        .malformed, "it answers what its protocol does not allow: \(text)", remedy: faultyRemedy)
    }
    return BuzzerError(
      .noAnswer, "it was asked, and did not answer within \(limit.roundedSeconds) s",
      remedy: faultyRemedy)
  }

  /// The connection ended with a question.
  static func unasked(_ error: GATTError) -> BuzzerError {
    BuzzerError(.noAnswer, "it was asked, and gave no answer: \(error)", remedy: error.remedy)
  }

  static let overtime = BuzzerError(
    .noAnswer, "it is connected, and was too slow to be asked in time",
    remedy: "give it more time: \(.timeLimit("150s"))")
}
