import Diagnosis
import LunaCore
import SafeText

/// Names what is recorded: 2 to 16 parts of 1 to 64 letters, digits, `-` and `_`, joined by dots, at most
/// 255 bytes. Spaces become `_`. The path of a context may have one part.
public struct TelemetryKey: Hashable, Sendable {
  /// Its parts, joined by dots.
  let text: String

  /// Reads a key.
  ///
  /// - Throws: ``TelemetryError`` of kind `key`.
  public init(_ text: String) throws(TelemetryError) {
    try self.init(text, parts: 2...16)
  }

  private init(_ text: String, parts: ClosedRange<Int>) throws(TelemetryError) {
    let name = text.utf8.contains(0x20) ? text.replacing(text: " ", with: "_") : text
    guard TelemetryItem.isPath(name, parts: parts) else {
      throw TelemetryError(
        .key, "\(ForeignText(text)) is no key of telemetry",
        remedy:
          "use \(parts.lowerBound) to \(parts.upperBound) parts of up to 64 letters, digits, - and _, "
          + "joined by dots")
    }
    self.text = name
  }

  /// The root of all keys of a program. What cannot be in one becomes `_`.
  init(root: String) {
    func isGood(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || ".-_".utf8.contains(byte)
    }
    let bytes = root.utf8.prefix(64).map { isGood($0) ? $0 : UInt8(ascii: "_") }
    let name = String(decoding: bytes, as: UTF8.self)
    text = TelemetryItem.isPath(name, parts: 1...8) ? name : "luna"
  }

  /// The key with more parts.
  func appending(_ parts: String) throws(TelemetryError) -> TelemetryKey {
    try TelemetryKey("\(text).\(parts)", parts: 2...16)
  }
}

extension TelemetryKey: CustomStringConvertible {
  /// Its parts, joined by dots.
  public var description: String { text }
}
