/// The bytes of a file, and which line an offset is on.
struct SourceText: Sendable {
  let bytes: [UInt8]
  /// Where the text begins: behind a byte order mark.
  let start: Int
  private let lines: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var lines = [start]
    let newline = UInt8(ascii: "\n")
    // By index: other ways take much longer where nothing is optimised.
    for offset in bytes.indices where bytes[offset] == newline { lines.append(offset + 1) }
    self.lines = lines
  }

  /// The line of an offset, from 1.
  func line(of offset: Int) -> Int {
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The line and column of an offset.
  func position(of offset: Int) -> SourcePosition {
    let line = line(of: offset)
    let begin = min(lines[line - 1], bytes.count)
    let end = max(begin, min(offset, bytes.count))
    // All but the continuation bytes of UTF-8 begin a scalar.
    var column = 1
    for offset in begin..<end where bytes[offset] & 0xC0 != 0x80 { column += 1 }
    return SourcePosition(line: line, column: column)
  }

  /// The first byte that is not part of UTF-8; nil when all are.
  var firstForeignByte: Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return min(offset, bytes.count - 1)
      }
    }
  }
}
