import Bluetooth
public import LunaCore

/// What a finder has done and lost so far, counted from its updates.
public struct FinderTally: Sendable {
  /// Sightings that were queued.
  public private(set) var found = 0
  /// Events that the backend has taken, and those of them that it knew before.
  public private(set) var accepted = 0, duplicates = 0
  /// Events that the backend does not want.
  public private(set) var refused = 0
  /// Uploads that failed.
  public private(set) var failures = 0
  /// What was lost, by reason.
  public private(set) var dropped: [String: Int] = [:]
  /// Events that wait for the backend; nil until that is known.
  public private(set) var waiting: Int?
  /// Commands that were carried out, by what came of them.
  public private(set) var commands: [CommandOutcome.Kind: Int] = [:]

  /// Steps that were taken to bring the radio back, whatever came of them.
  public private(set) var recoverySteps = 0

  /// Nothing was done yet.
  public init() {}

  /// Events that are with the backend.
  public var uploaded: Int { accepted + duplicates }

  /// Everything that was lost.
  public var lost: Int { dropped.values.reduce(0, +) }

  /// Something happened.
  public mutating func take(_ update: FinderUpdate) {
    switch update {
    case .found: found += 1
    case .uploaded(let summary):
      accepted += summary.accepted
      duplicates += summary.duplicates
      refused += summary.refused.values.reduce(0, +)
      waiting = summary.waiting
    case .uploadFailed: failures += 1
    case .recovery(let step) where step.wasTaken: recoverySteps += 1
    case .dropped(let reason, let count): dropped[reason, default: 0] += count
    case .commandEnded(_, _, let outcome): commands[outcome.kind, default: 0] += 1
    default: break
    }
  }
}
