/// What a tracker of somebody else does.
public enum RingNews: Hashable, Sendable {
  /// It sounds; whether it said so, or only did not object.
  case sounding(NonOwnerProtocol, isConfirmed: Bool)
  /// The sound has ended; whether it said so.
  case ended(isConfirmed: Bool)
  /// The connection broke while it sounded: it ends by itself.
  case lost(String)
}
