/// A case that did not pass.
public struct VectorFailure: Error, Sendable {
  /// The name of the case.
  public let id: String
  /// Why.
  public let problem: String
}
