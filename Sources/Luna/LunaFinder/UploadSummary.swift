/// What became of a batch.
public struct UploadSummary: Hashable, Sendable {
  /// The events that were sent.
  public var sent = 0
  /// Those that are stored now.
  public var accepted = 0
  /// Those that were stored before.
  public var duplicates = 0
  /// Those that will never be taken, by the backend's codes.
  public var refused: [String: Int] = [:]
  /// Those that go another time.
  public var postponed = 0
  /// The events that wait now.
  public var waiting = 0
  /// The commands that came back.
  public var commands = 0

  /// Nothing.
  public init() {}
}
