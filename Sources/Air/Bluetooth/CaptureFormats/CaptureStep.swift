/// What a reader of capture files came to.
public enum CaptureStep: Sendable {
  /// A record.
  case record(CaptureRecord)
  /// The bytes end before the next record does; give it the rest with more behind.
  case more
  /// The file has ended.
  case end
}
