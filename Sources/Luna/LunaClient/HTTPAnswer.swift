/// What a server answered.
public struct HTTPAnswer: Sendable {
  /// The status code (RFC 9110, 15), 100 to 599.
  public let status: Int
  /// The header fields, in their order.
  public let headers: [HTTPField]
  /// The body, decoded where it was compressed.
  public var body: [UInt8]
  /// After how long the server asks to be tried again, s.
  public let retryAfter: Int?

  /// An answer whose body is decoded already.
  public init(
    status: Int, headers: [HTTPField] = [], body: [UInt8] = [], retryAfter: Int? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.retryAfter = retryAfter
  }

  /// The value of the first field of a name, in whatever case.
  public func first(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }
}
