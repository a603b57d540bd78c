import SafeText

/// What came to the listener for a redirect (RFC 8252, 7.3).
enum LoopbackRequest: Hashable {
  /// The head is not complete.
  case incomplete
  /// The browser comes back, with this query.
  case redirect(String)
  /// Anything else, such as the picture for a tab.
  case other

  /// More than any browser sends.
  static let limit = 16 << 10

  /// - Parameter path: that of the redirect address.
  init(_ bytes: [UInt8], path: String) {
    let head = String(decoding: bytes, as: UTF8.self)
    guard head.contains(text: "\r\n\r\n") || head.contains(text: "\n\n") else {
      self = bytes.count >= LoopbackRequest.limit ? .other : .incomplete
      return
    }
    let line = head.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ")
    guard line.count == 3, line[0] == "GET", line[2].hasPrefix("HTTP/1.") else {
      self = .other
      return
    }
    let query = line[1].drop { $0 != "?" }.dropFirst()
    let isOurs = line[1].prefix { $0 != "?" } == path && FormText.fields(of: query)["state"] != nil
    self = isOurs ? .redirect(String(query)) : .other
  }
}
