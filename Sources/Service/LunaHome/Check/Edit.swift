/// A replacement in a file.
struct Edit: Sendable {
  let range: Range<Int>
  let text: String

  /// - Parameter edits: in whatever order; they do not overlap.
  static func applied(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + edits.count)
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.text.utf8
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }
}
