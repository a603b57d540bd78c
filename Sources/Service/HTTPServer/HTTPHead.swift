/// The first part of a request.
public struct HTTPHead: Sendable {
  /// The method as it was sent, such as `GET`; case counts (RFC 9110, 9.1).
  public let method: String
  /// Path and query as they were sent; of a whole address without what is before them.
  public let target: String
  /// `HTTP/1.0` or `HTTP/1.1`.
  public let version: String
  /// The header fields in their order.
  public let headers: [HTTPHeader]
  /// All bytes of it.
  var size = 0
  /// Whether it is nothing but these parts, in lines that end in CR and LF.
  var isPlain = true
  /// Which of the server's connections it came on, counted from 1: no two of them have the same number. 0 where it came
  /// on none.
  package var connection = 0

  /// A head of these parts.
  public init(
    method: String, target: String, version: String = "HTTP/1.1", headers: [HTTPHeader] = []
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
  }

  /// The values of a header, with what is around them.
  func raw(_ name: StaticString) -> [String] {
    headers.filter { $0.isNamed(name) }.map { String(decoding: $0.value, as: UTF8.self) }
  }

  /// The value of a header that may be there once.
  public func first(_ name: StaticString) -> String? {
    headers.first { $0.isNamed(name) }?.text
  }

  /// The path, without the query.
  public var path: Substring { target.prefix { $0 != "?" } }

  /// What follows the question mark.
  public var query: Substring? {
    target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
  }

  /// The announced length of the body; nil when it is chunked or there is none.
  var contentLength: Int? { first("content-length").flatMap { Int($0) } }
}
