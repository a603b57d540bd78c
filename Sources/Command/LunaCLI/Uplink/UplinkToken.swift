/// The token for a server of ours, in a file of its own.
enum UplinkToken {
  private static let limit = 4096

  /// Reads it: the first line.
  static func read(_ path: String) async throws(CommandFailure) -> String {
    let bytes = try await InputFile.read(path)
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    // It stands in the head of a request.
    guard (1...limit).contains(line.count), line.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      throw CommandFailure(
        .unreadableInput, "\(path) holds no token",
        hint: "write it on the first line, without blanks")
    }
    return String(decoding: line, as: UTF8.self)
  }
}
