import Bluetooth
import SafeText

/// Addresses of networks as people write them.
enum NetworkAddressText {
  /// `C0:FF:EE:00:00:01`
  static func mac(_ bytes: [UInt8]) -> String { bytes.map(Hex.upper).joined(separator: ":") }

  /// Dotted for four bytes; groups of hexadecimal digits for sixteen, the longest run of zeros left
  /// out (RFC 5952).
  static func ip(_ bytes: [UInt8]) -> String {
    if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
    let groups = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    var (best, index) = (0..<0, 0)
    while index < groups.count {
      let end = groups[index...].firstIndex { $0 != 0 } ?? groups.count
      if end - index >= 2, end - index > best.count { best = index..<end }
      index = max(end, index + 1)
    }
    func text(_ groups: ArraySlice<UInt16>) -> String {
      groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
    if best.isEmpty { return text(groups[...]) }
    return text(groups[..<best.lowerBound]) + "::" + text(groups[best.upperBound...])
  }

  /// The bytes of an address that ``ip(_:)`` wrote.
  static func bytes(ip text: String) -> [UInt8]? {
    if !text.utf8.contains(UInt8(ascii: ":")) {
      let bytes = text.split(separator: ".").compactMap { UInt8($0) }
      return bytes.count == 4 ? bytes : nil
    }
    // At most one place stands for as many zeros as are missing.
    let sides = text.split(separatedBy: "::", maxSplits: 1).map { side in
      side.split(separator: ":").compactMap { UInt16($0, radix: 16) }
    }
    let isLeft = !text.hasPrefix("::")
    let left = isLeft ? sides.first ?? [] : []
    let right = isLeft ? (sides.count > 1 ? sides[1] : []) : sides.first ?? []
    guard left.count + right.count <= 8 else { return nil }
    let groups = left + [UInt16](repeating: 0, count: 8 - left.count - right.count) + right
    return groups.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }
}
