import Glibc

/// The lines that come from a descriptor, such as standard input: waited for where blocking is
/// allowed, and handed on as they come, many at once where many are there.
public struct InputLines: Sendable {
  private static let pieceCount = 64 * 1024

  private let descriptor: Int32
  private let longest: Int
  private var rest: [UInt8] = []
  private var isOver = false
  /// The error number that has ended the input; 0 where nothing has, or its end.
  package private(set) var failure: Int32 = 0

  /// - Parameters:
  ///   - descriptor: is not closed.
  ///   - longest: a line of more bytes may end the input, and does before many more of them are kept.
  public init(_ descriptor: Int32, longest: Int = .max) {
    self.descriptor = descriptor
    self.longest = longest
  }

  /// The next lines, one at least, without their line ends (LF, or CR and LF); nil at the end. What is no UTF-8 in
  /// them is repaired, and the last one may have no line feed. An error ends the input as its end does.
  public mutating func next() async -> [String]? {
    while !isOver {
      let (piece, code) = await Blocking.run { [descriptor] in InputLines.read(descriptor) }
      failure = code
      isOver = piece.isEmpty
      rest += piece
      // Looked for in the piece alone: what came before it has none.
      guard isOver || piece.contains(UInt8(ascii: "\n")) else {
        guard rest.count > longest else { continue }
        isOver = true
        rest = []
        return nil
      }
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      // Behind the last line feed a line may only have begun.
      let last = lines.removeLast()
      var texts = lines.map { line in
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      }
      if isOver, !last.isEmpty { texts.append(String(decoding: last, as: UTF8.self)) }
      guard !texts.isEmpty else { continue }
      rest = isOver ? [] : Array(last)
      return texts
    }
    return nil
  }

  private static func read(_ descriptor: Int32) -> ([UInt8], Int32) {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: pieceCount) { buffer, count in
      var got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      while got < 0, errno == EINTR || errno == EAGAIN {
        // Whoever shares it, as all in a terminal do, may have said that it does not block.
        var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if errno == EAGAIN { poll(&query, 1, -1) }
        got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if got < 0 { code = errno }
      count = max(0, got)
    }
    return (bytes, code)
  }
}
