import Bluetooth
import FileOutput
import Glibc
import HTTPServer
import LunaAccount
import LunaBackend
import LunaBuzzer
import LunaCore
import LunaFinder
import LunaOnboarder
import LunaOwner
import LunaTracker
import LunaUplink
import MQTT
import UplinkProtocol

// The table of the command-line contract: which exit code each kind of failure has. No other place
// decides that.

extension ExitCode {
  /// A source of advertisements failed.
  init(_ kind: SourceError.Kind) {
    switch kind {
    case .noAdapter: self = .noAdapter
    case .noPermission: self = .noPermission
    case .off: self = .adapterOff
    case .busy: self = .busy
    case .lost: self = .lost
    case .unreadable: self = .unreadableInput
    case .invalid: self = .usage
    }
  }

  /// A file that is written.
  init(_ kind: FileOutputError.Kind) {
    switch kind {
    case .exists: self = .usage
    case .denied: self = .noPermission
    case .noDirectory, .full, .failed: self = .lost
    }
  }

  /// A file that is read whole.
  init(_ kind: FileInputError.Kind) {
    self = kind == .denied ? .noPermission : .unreadableInput
  }

  /// A file that is read: the error number of the system call.
  init(reading code: Int32) {
    self = code == EACCES || code == EPERM ? .noPermission : .unreadableInput
  }

  /// The store of devices, and the queue.
  init(_ kind: DeviceStoreError.Kind) {
    switch kind {
    case .denied, .locked: self = .noPermission
    case .busy: self = .busy
    case .damaged, .newer: self = .unreadableInput
    case .unknownDevice, .exhausted: self = .notFound
    case .full, .failed, .gone: self = .lost
    }
  }

  /// A request of the owner.
  init(_ kind: OwnerError.Kind) {
    switch kind {
    case .noSuchDevice, .foreignDevice, .counter, .clock: self = .notFound
    case .ambiguous, .command, .duration, .range, .noBackend: self = .usage
    }
  }

  /// A backend that is asked.
  init(_ kind: BackendError.Kind) {
    switch kind {
    case .address: self = .usage
    case .inUse: self = .busy
    case .local: self = .unreadableInput
    case .library: self = .lost
    case .unreachable, .interrupted, .untrusted, .redirected, .refused, .notFound, .malformed,
      .busy, .failed, .answer:
      self = .backend
    }
  }

  /// Somebody who is signed in, or signs in.
  init(_ error: AccountError) {
    switch error.code {
    case .notLoggedIn, .jwtNotFound, .denied, .expired: self = .notFound
    case .network: self = error.isLibrary ? .lost : .backend
    case .server, .undecodable, .configuration, .stateMismatch, .redirect: self = .backend
    case .foreignHost, .platformNotEnabled: self = .usage
    case .storage:
      switch error.storage {
      case .denied: self = .noPermission
      case .damaged: self = .unreadableInput
      case .failed: self = .lost
      }
    case .locked: self = .busy
    case .cancelled: self = .interrupted
    }
  }

  /// The storage of a backend that is served.
  init(_ kind: StorageError.Kind) {
    switch kind {
    case .denied: self = .noPermission
    case .overloaded, .unavailable: self = .busy
    case .limit: self = .notFound
    case .malformed, .exists: self = .usage
    case .damaged, .foreign, .outdated, .absent, .differs: self = .unreadableInput
    case .full, .missing, .replaced, .failed: self = .lost
    }
  }

  /// A backend that is to be served.
  init(_ kind: ServerError.Kind) {
    switch kind {
    case .address: self = .usage
    case .denied: self = .noPermission
    case .busy: self = .busy
    case .certificate: self = .unreadableInput
    case .library, .failed: self = .lost
    }
  }

  /// A broker.
  init(_ kind: MQTTError.Kind) {
    switch kind {
    case .address: self = .usage
    case .files: self = .unreadableInput
    case .library, .notResolved, .notConnected, .refused, .notTrusted, .lost, .failed: self = .lost
    }
  }

  /// A relay that records.
  init(_ kind: RelayError.Kind) {
    switch kind {
    case .system: self = .lost
    case .silent: self = .backend
    case .full: self = .notFound
    }
  }

  /// A replay by a server of Wehe's.
  init(_ kind: ReplayError.Kind) {
    switch kind {
    case .addressBusy, .overloaded: self = .busy
    case .lost, .ipFlip: self = .lost
    case .authorities: self = .unreadableInput
    case .blocked, .connect, .unknownRecording, .refused, .malformed: self = .backend
    case .cancelled: self = .interrupted
    }
  }

  /// A check that does not begin.
  init(_ kind: UplinkError.Kind) {
    switch kind {
    case .denied: self = .noPermission
    case .unreadable, .noRecordings, .noVariations: self = .unreadableInput
    case .profile: self = .usage
    case .noSuchApp, .noInspection, .noSamples: self = .notFound
    case .overBudget, .overMeteredBudget, .overMonth, .overMeteredMonth: self = .overBudget
    case .busy: self = .busy
    }
  }

  /// A server that is located.
  init(_ kind: LocateError.Kind) { self = kind == .accessLost ? .lost : .backend }

  /// A difference that is located.
  init(_ kind: LocalizationError.Kind) {
    switch kind {
    case .recordingUnreadable: self = .unreadableInput
    case .noFork, .pathsMeetAgain, .sameServer, .pathUnknown: self = .notFound
    case .noPair, .pairRequestFailed, .pairRefused, .pairMalformed, .sitesMalformed,
      .siteUnreachable, .replayReceive, .replaySend, .replayUnknown, .replayCount, .analysisGaveUp,
      .resultGaveUp, .notSerializable, .localizeGaveUp, .noReplayPort, .answerGaveUp, .answerEmpty,
      .answerNotReady, .answerError, .answerMissing:
      self = .backend
    }
  }

  /// Where a difference is made.
  init(_ location: Location) {
    switch location {
    case .common, .separate, .perConnection: self = .done
    case .noEvidence: self = .notFound
    case .inconclusive: self = .inconclusive
    }
  }

  /// What a network recognises.
  init(_ inspection: Inspection) {
    switch inspection.reason {
    case nil: self = inspection.finding.isAnything ? .done : .notFound
    case .budget?: self = .overBudget
    case .tooClose?, .noisy?, .failed?, .contradictory?, .probes?: self = .inconclusive
    }
  }

  /// A gateway.
  init(_ kind: FinderError.Kind) {
    self = kind == .configuration ? .usage : .lost
  }

  /// A tracker in software.
  init(_ error: TrackerError) {
    switch error.kind {
    case .notFound: self = .notFound
    case .exists, .invalid: self = .usage
    case .busy: self = .busy
    case .unreadable: self = .unreadableInput
    case .system: self = error.errno == EACCES || error.errno == EPERM ? .noPermission : .lost
    case .crypto: self = .lost
    }
  }

  /// A tracker that is told something.
  init(_ kind: BuzzerError.Kind) {
    switch kind {
    case .adapter: self = .lost
    case .noMatchingPackage, .noPackage, .notHeard, .notConnectable, .unreachable, .noAnswer,
      .notOffered, .unauthorized, .stale, .alreadyExecuted, .wrongPeriod, .unsupported, .busy,
      .limited, .refused, .forged, .malformed, .notSeparated, .stopped:
      self = .notFound
    }
  }

  /// A tracker that is onboarded.
  init(_ kind: OnboardingError.Kind) {
    switch kind {
    case .notFound, .notConnectable, .wrongCode, .codeNeeded, .keyed, .locked, .refused,
      .malformed, .notOffered, .unreachable, .unresolved:
      self = .notFound
    case .ambiguous, .consentNeeded: self = .usage
    case .adapter, .store, .crypto: self = .lost
    case .stopped: self = .interrupted
    }
  }
}
