/// What a radio path is doing.
public enum SourceState: Hashable, Sendable {
  /// Opening the adapter, starting the scan.
  case starting
  /// Reports can come.
  case scanning
  /// The scan is off for a while, as its user wants it.
  case paused
  /// Something stopped the scan, and it is being started again.
  case recovering(reason: String)
  /// Something was done for that, or came of it: no state that lasts, but news among the states.
  case recovery(RecoveryStep)
  /// The end: the source could not be recovered.
  case lost(reason: String)
}
