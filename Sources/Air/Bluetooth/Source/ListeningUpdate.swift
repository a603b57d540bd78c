/// What whoever listens has to know besides what is heard: whether the radio works, and what was lost.
public enum ListeningUpdate: Hashable, Sendable {
  /// The radio delivers, or does so again.
  case listening
  /// It has stopped, and is being started again.
  case recovering(reason: String)
  /// Something was done to bring it back, or came of it.
  case recovery(RecoveryStep)
  /// It has stopped for good.
  case lost(reason: String)
  /// So many more things were lost. The reasons are those of ``SourceCounters/losses``, and words of
  /// who passes this on.
  case dropped(reason: String, count: UInt64)

  /// What a state of a source means; nil before it listens, and while its user lets it pause.
  public init?(_ state: SourceState) {
    switch state {
    case .starting, .paused: return nil
    case .scanning: self = .listening
    case .recovering(let reason): self = .recovering(reason: reason)
    case .recovery(let step): self = .recovery(step)
    case .lost(let reason): self = .lost(reason: reason)
    }
  }
}
