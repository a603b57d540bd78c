/// What is wrong with a part of the exchange with a backend: the first member that is missing or
/// mistyped.
public struct ExchangeError: Error, Hashable, Sendable {
  /// A word for programs: the name of the member.
  public let code: String
  /// What is wrong, without the value itself: it may be long, or nobody's business.
  public let reason: String

  /// A member and what is wrong with it.
  public init(_ code: String, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

extension ExchangeError: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
