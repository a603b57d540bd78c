import Bluetooth
import LunaCrypto

/// Keys from files: hexadecimal digits, or the bytes themselves.
enum KeyFile {
  /// The key in a file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - count: how many bytes it has.
  ///   - what: how messages call it.
  static func read(
    _ path: String, count: Int, what: String
  ) async throws(CommandFailure) -> SecretBytes {
    var bytes = try await InputFile.read(path)
    defer { wipe(&bytes) }
    // Digits and nothing else are half a key that is written, or one for something else, and no bytes.
    let isWritten = bytes.allSatisfy {
      let character = Character(Unicode.Scalar($0))
      return character.isHexDigit || character.isWhitespace
    }
    if bytes.count == count, !isWritten { return SecretBytes(copying: bytes.span) }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard var key = Hex.bytes(text), key.count == count else {
      throw CommandFailure(
        .unreadableInput, "\(path == "-" ? "standard input" : path) holds no \(what)",
        hint: "it is \(2 * count) hexadecimal digits, or \(count) bytes")
    }
    defer { wipe(&key) }
    return SecretBytes(copying: key.span)
  }
}
