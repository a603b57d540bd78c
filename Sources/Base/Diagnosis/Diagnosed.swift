/// An error that says what is wrong and what to do. Its kinds are those of its room; what is said of
/// it, be it in a log, in a window or as JSON, comes from its diagnosis.
public protocol Diagnosed: Error {
  /// What is wrong, and what to do.
  var diagnosis: Diagnosis { get }
}

extension Diagnosed {
  /// What happened and why, in one clause without a full stop.
  public var reason: String { diagnosis.reason }

  /// What to do about it; nil when there is nothing to say.
  public var remedy: Remedy? { diagnosis.remedy }
}

extension Diagnosed where Self: CustomStringConvertible {
  /// What is wrong and what to do, in one line.
  public var description: String { diagnosis.description }
}
