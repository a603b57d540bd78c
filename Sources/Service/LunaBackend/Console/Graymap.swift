public import LunaJSON

/// A grey picture as pages send what a camera sees: a portable graymap, binary, of 8 bits (Netpbm's pgm(5)).
public struct Graymap: Hashable, Sendable {
  /// At most so many pixels a side.
  public static let limit = 800
  /// So many bytes has the largest one, with its head.
  public static let bytes = limit * limit + 64

  /// Pixels a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// From the upper left, row by row; 0 is black.
  public let pixels: [UInt8]

  /// Reads a picture.
  ///
  /// - Throws: ``LunaJSON/FormatError`` where it is none, is larger than ``limit``, or not whole.
  public init(_ bytes: [UInt8]) throws(FormatError) {
    var rest = bytes[...]
    guard rest.starts(with: Array("P5".utf8)) else {
      throw FormatError("picture", "is no portable graymap (P5)")
    }
    rest = rest.dropFirst(2)
    let width = try Graymap.number(&rest, in: 1...Graymap.limit, "width")
    let height = try Graymap.number(&rest, in: 1...Graymap.limit, "height")
    _ = try Graymap.number(&rest, in: 255...255, "depth")
    guard let blank = rest.popFirst(), Graymap.isBlank(blank), rest.count == width * height else {
      throw FormatError("picture", "has not \(width) × \(height) bytes behind its head")
    }
    self.width = width
    self.height = height
    pixels = Array(rest)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func number(
    _ rest: inout ArraySlice<UInt8>, in range: ClosedRange<Int>, _ name: String
  ) throws(FormatError) -> Int {
    let start = rest.drop(while: isBlank)
    let digits = start.prefix { (0x30...0x39).contains($0) }
    guard start.startIndex > rest.startIndex, (1...4).contains(digits.count) else {
      throw FormatError("picture", "has no \(name)")
    }
    rest = start[digits.endIndex...]
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard range.contains(value) else {
      throw FormatError(
        "picture", "has a \(name) of \(value), not of \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }
}
