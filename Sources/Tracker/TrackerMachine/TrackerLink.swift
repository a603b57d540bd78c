import LunaProtocol

/// What a tracker knows of the one connection that it has.
struct TrackerLink: Sendable {
  /// After so many answers that prove nothing the tracker disconnects (PROTOCOL.md, 12.2).
  static let shortAnswerLimit = 3
  /// How long a peer may do nothing, ms (PROTOCOL.md, 13).
  static let idleLimit: Int64 = 30_000

  /// The opcode and the handle of an indication.
  private static let indicationOverhead = 3

  var mtu = 23
  var lastActivity: Int64
  /// Of the info that was read and not used up.
  var onboarding: TrackerOnboarding?
  var info: [UInt8]?
  /// Of the request that was answered.
  var confirmation: TrackerConfirmation?
  /// What a read of Onboard gives: the last message, in case the indication was cut.
  var onboardValue: [UInt8] = []
  var challenge: ControlChallenge?
  var challengeReadAt: Int64 = 0
  /// What a long read of the challenge goes on with.
  var challengeValue: [UInt8] = []
  var shortAnswers = 0

  /// As much of a message as an indication holds.
  func indication(of message: [UInt8]) -> [UInt8] {
    Array(message.prefix(max(0, mtu - TrackerLink.indicationOverhead)))
  }
}
