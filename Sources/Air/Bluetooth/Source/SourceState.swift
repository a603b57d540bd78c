/// What a radio path is doing.
public enum SourceState: Hashable, Sendable {
  /// Opening the adapter, starting the scan.
  case starting
  /// Reports can come.
  case scanning
  /// Something stopped the scan, and it is being started again.
  case recovering(reason: String)
  /// The end: the source could not be recovered.
  case lost(reason: String)
}
