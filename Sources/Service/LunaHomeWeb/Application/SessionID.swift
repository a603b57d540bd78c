/// What a session is called. It opens nothing.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
  /// 16 hexadecimal digits.
  public let description: String

  /// A name that ``Session/id`` had.
  public init(_ text: String) { description = text }
}
