/// The answer to a request of a slot of commands, as it comes: one of HTTP/1.1 whose body has ``CommandSlot/answer``
/// bytes.
package struct CommandAnswer: Sendable {
  /// How long its head may be, bytes.
  private static let limit = 8 << 10
  private static let end = Array("\r\n\r\n".utf8)
  private static let length = "content-length:\(CommandSlot.answer)"

  /// How many bytes of it have come.
  package private(set) var count = 0
  /// What has come of its head.
  private var head: [UInt8] = []
  /// How many bytes it has; nil before its head has come.
  private var whole: Int?

  /// Nothing has come yet.
  package init() {}

  /// Whether all of it has come.
  package var isWhole: Bool { count == whole }

  /// Takes what came.
  ///
  /// - Returns: false where that is no such answer, or more than one.
  package mutating func take(_ bytes: [UInt8]) -> Bool {
    count += bytes.count
    if whole == nil {
      head += bytes
      guard let size = CommandAnswer.size(of: head) else { return head.count < CommandAnswer.limit }
      guard CommandAnswer.isGood(head[..<size]) else { return false }
      whole = size + CommandSlot.answer
      head = []
    }
    return count <= whole ?? 0
  }

  /// How long the head is at the beginning of bytes; nil where it is not there as a whole.
  private static func size(of bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + end.count }
  }

  private static func isGood(_ head: ArraySlice<UInt8>) -> Bool {
    let lines = String(decoding: head, as: UTF8.self).split(separator: Character("\r\n"))
    return lines.first?.hasPrefix("HTTP/1.1 200 ") == true
      && lines.contains { line in line.lowercased().filter { $0 != " " } == length }
  }
}
