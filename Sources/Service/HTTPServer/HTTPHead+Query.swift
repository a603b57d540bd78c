extension HTTPHead {
  /// The parameters of the query, decoded (`application/x-www-form-urlencoded`), in their order; what is
  /// not UTF-8 then is U+FFFD.
  public var queryParameters: [(name: String, value: String)] {
    HTTPHead.parameters(of: query ?? "")
  }

  /// The parameters of a form, as those of a query.
  package static func parameters(of form: Substring) -> [(name: String, value: String)] {
    form.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (HTTPHead.decoded(parts[0]), parts.count > 1 ? HTTPHead.decoded(parts[1]) : "")
    }
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        rest.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
