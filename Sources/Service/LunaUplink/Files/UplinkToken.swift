import Diagnosis

/// The token for a server of ours, in a file of its own.
package enum UplinkToken {
  private static let limit = 4096

  /// Reads it: the first line.
  ///
  /// - Throws: ``UplinkError`` of kind `denied` or `unreadable`.
  package static func read(_ path: String) async throws(UplinkError) -> String {
    let bytes = try await UplinkFile.bytes(of: path)
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    // It stands in the head of a request.
    guard (1...limit).contains(line.count), line.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      throw UplinkError(
        .unreadable, "\(path) holds no token",
        remedy: "write it on the first line, without blanks")
    }
    return String(decoding: line, as: UTF8.self)
  }
}
