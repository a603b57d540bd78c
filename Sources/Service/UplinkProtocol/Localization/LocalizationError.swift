package import Diagnosis

/// Why a difference was not located (UPLINK.md, 9).
package struct LocalizationError: Diagnosed, CustomStringConvertible, Hashable {
  /// The kinds of failure.
  package enum Kind: String, CaseIterable, Sendable {
    /// The recording, or its control, cannot be read.
    case recordingUnreadable
    /// There are no two servers whose paths part.
    case noPair
    /// The server that knows pairs does not answer.
    case pairRequestFailed
    /// It says that it has none.
    case pairRefused
    /// What it says is no pair.
    case pairMalformed
    /// The sites that it names are none.
    case sitesMalformed
    /// At none of them a server gives access.
    case siteUnreachable
    /// A replay broke off.
    case replayReceive
    /// A replay could not begin.
    case replaySend
    /// A replay ended in a way that nobody knows.
    case replayUnknown
    /// More than four replays ended.
    case replayCount
    /// A server does not begin to compare its replays.
    case analysisGaveUp
    /// A server does not say what it makes of them.
    case resultGaveUp
    /// The question cannot be written as JSON.
    case notSerializable
    /// The server does not begin to locate.
    case localizeGaveUp
    /// The recording has no port.
    case noReplayPort
    /// The server does not answer where it is asked for the place.
    case answerGaveUp
    /// Its answer is nothing.
    case answerEmpty
    /// It is not ready.
    case answerNotReady
    /// It says that something went wrong.
    case answerError
    /// It says that something is missing, or not what.
    case answerMissing
    /// The paths part only at the servers.
    case noFork
    /// Behind the place where they part they have something in common.
    case pathsMeetAgain
    /// Both are one server.
    case sameServer
    /// Too few on the way say who they are.
    case pathUnknown

    /// What happened.
    fileprivate var problem: String {
      switch self {
      case .recordingUnreadable: "the recording cannot be read"
      case .noPair: "no two servers are named whose paths part"
      case .pairRequestFailed: "the server that knows pairs of servers does not answer"
      case .pairRefused: "the server has no pair of servers for this network"
      case .pairMalformed: "the server's pairs of servers cannot be used"
      case .sitesMalformed: "the server's pairs of sites cannot be used"
      case .siteUnreachable: "at no pair of sites both servers give access"
      case .replayReceive: "a replay broke off"
      case .replaySend: "a replay could not begin"
      case .replayUnknown: "a replay ended otherwise than the protocol says"
      case .replayCount: "more than four replays ended"
      case .analysisGaveUp: "a server does not begin to compare its replays"
      case .resultGaveUp: "a server does not say what it makes of its replays"
      case .notSerializable: "the question for the place cannot be written"
      case .localizeGaveUp: "the server does not begin to locate"
      case .noReplayPort: "the recording has no port of a server"
      case .answerGaveUp: "the server was asked for the place, and does not answer"
      case .answerEmpty: "the server's answer is empty"
      case .answerNotReady: "the server has not located anything yet"
      case .answerError: "the server could not locate anything"
      case .answerMissing: "the server's answer lacks what was asked for"
      case .noFork: "the paths to the two servers part only at the servers"
      case .pathsMeetAgain: "the paths to the two servers part, and meet again"
      case .sameServer: "both names are those of one server"
      case .pathUnknown: "over half of those on the way to a server do not say who they are"
      }
    }

    /// What to do.
    fileprivate var remedy: Remedy {
      switch self {
      case .recordingUnreadable: "check the files of the recording and its control"
      case .noPair, .pairRefused, .noFork, .pathsMeetAgain, .sameServer:
        "name two servers in networks of different providers"
      case .pathUnknown: "name other servers, or have the paths taken for good as they are"
      case .noReplayPort: "name another recording"
      case .pairRequestFailed, .pairMalformed, .sitesMalformed, .notSerializable:
        "check that it is a server of Wehe's"
      case .siteUnreachable, .replayReceive, .replaySend, .replayUnknown, .replayCount,
        .analysisGaveUp, .resultGaveUp, .localizeGaveUp, .answerGaveUp, .answerEmpty,
        .answerNotReady, .answerError, .answerMissing:
        "try again later"
      }
    }

    /// The number that Wehe's client ends with where this happens; nil where it has none.
    package var weheCode: Int? {
      switch self {
      case .siteUnreachable: 9
      case .pairRefused: 18
      case .analysisGaveUp: 19
      case .resultGaveUp: 22
      case .pairMalformed, .sitesMalformed: 26
      default: nil
      }
    }
  }

  /// The kind of failure.
  package let kind: Kind
  /// What happened, and what to do.
  package let diagnosis: Diagnosis

  package init(_ kind: Kind, because reason: String? = nil) {
    self.kind = kind
    let why = reason.map { ": \($0)" } ?? ""
    diagnosis = Diagnosis(kind.problem + why, remedy: kind.remedy)
  }

  /// What a replay that came to no end is here; nil where it says better itself why.
  package init?(_ error: ReplayError) {
    switch error.kind {
    case .lost, .ipFlip: self.init(.replayReceive, because: error.reason)
    case .blocked, .connect: self.init(.replaySend, because: error.reason)
    case .malformed: self.init(.replayUnknown, because: error.reason)
    case .authorities, .unknownRecording, .addressBusy, .overloaded, .refused, .cancelled:
      return nil
    }
  }

  /// What a server that has no result is here.
  package init(_ error: AnalysisError) {
    let begins =
      switch error.kind {
      case .analysisRefused, .analysisGaveUp: false
      case .resultGaveUp, .malformed: true
      }
    self.init(begins ? .resultGaveUp : .analysisGaveUp, because: error.reason)
  }
}
