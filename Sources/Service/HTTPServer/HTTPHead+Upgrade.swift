extension HTTPHead {
  /// The protocols that the client would rather speak on this connection, in its order and in lower case; none
  /// where it does not ask for that as RFC 9110, 7.8 says.
  package var offeredProtocols: [String] {
    guard version == "HTTP/1.1", elements("connection").contains("upgrade") else { return [] }
    return elements("upgrade")
  }

  /// The elements of a header that is a list, which may be there several times (RFC 9110, 5.6.1).
  private func elements(_ name: StaticString) -> [String] {
    raw(name).flatMap { $0.split(separator: ",") }.map { element in
      let rest = element.drop { HTTPHead.isBlank($0) }
      let end = rest.lastIndex { !HTTPHead.isBlank($0) }
      return end.map { rest[...$0].lowercased() } ?? ""
    }.filter { !$0.isEmpty }
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }
}
