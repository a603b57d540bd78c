import CQREncode

/// A QR code: dark and light modules.
package struct QRCode: Hashable, Sendable {
  /// How much of a code may be unreadable.
  package enum Level: Int32, Sendable {
    /// 7 %, for screens.
    case low = 0
    /// 15 %, for labels.
    case medium = 1
  }

  /// Light modules around a code, which readers need (ISO/IEC 18004).
  package static let margin = 4
  private static let largest = 177

  /// How many modules a side has.
  package let width: Int
  private let modules: [UInt8]

  /// The code of a text; nil where libqrencode is missing, or the text is too long for one.
  package init?(_ text: String, level: Level) {
    self.init(encode: { cqr_encode(text, level.rawValue, $0, $1) })
  }

  /// The code of bytes that are no text; nil as for a text.
  package init?(_ bytes: [UInt8], level: Level) {
    self.init(encode: {
      cqr_encode_bytes(bytes, Int32(clamping: bytes.count), level.rawValue, $0, $1)
    })
  }

  private init?(encode: (UnsafeMutablePointer<UInt8>?, Int32) -> Int32) {
    var modules = [UInt8](repeating: 0, count: QRCode.largest * QRCode.largest)
    width = modules.withUnsafeMutableBufferPointer {
      Int(encode($0.baseAddress, Int32($0.count)))
    }
    guard width > 0 else { return nil }
    self.modules = Array(modules.prefix(width * width))
  }

  /// Whether a module is dark; beyond the code all are light.
  package func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
    return modules[row * width + column] != 0
  }
}
