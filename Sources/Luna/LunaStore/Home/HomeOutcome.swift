/// What became of an action of a rule.
public struct HomeOutcome: Hashable, Sendable {
  /// How far it is.
  public enum State: String, Sendable {
    /// It is to be done, or is being done.
    case begun
    /// It was done.
    case done
    /// It could not be done.
    case failed
    /// The process ended before that was known; it is not done again.
    case interrupted
    /// Somebody else takes care of it, such as the queue of messages.
    case queued
  }

  /// The firing that it belongs to.
  public let firing: String
  /// Its place in the rule.
  public let action: Int
  /// Which part of it, where an action is done in parts.
  public let part: Int
  /// The action's name.
  public let name: String
  /// How far it is.
  public var state: State
  /// When that was so, µs since 1970.
  public var time: Int64
  /// Why it failed, or what came of it.
  public var detail: String
  /// What was to be done, as JSON.
  public let request: String
  /// The name of the trigger that began its rule; nil where that is not known. It is not kept.
  package var trigger: String?

  /// What became of an action.
  public init(
    firing: String, action: Int, part: Int, name: String, state: State, time: Int64,
    detail: String = "", request: String = ""
  ) {
    self.firing = firing
    self.action = action
    self.part = part
    self.name = name
    self.state = state
    self.time = time
    self.detail = detail
    self.request = request
  }
}
