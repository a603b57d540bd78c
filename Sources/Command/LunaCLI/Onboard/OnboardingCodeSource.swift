import Glibc
import LunaCrypto
import LunaProtocol

/// Where the code of a tracker comes from.
enum OnboardingCodeSource: Sendable {
  case word(OnboardingCode)
  case file(String)
  case picture(String)

  /// The code.
  func read() throws(CommandFailure) -> OnboardingCode {
    switch self {
    case .word(let code): return code
    case .file(let path):
      var bytes = try InputFile.read(path)
      defer { wipe(&bytes) }
      guard let code = OnboardingCodeSource.code(inLinesOf: bytes) else {
        throw CommandFailure(
          .unreadableInput,
          "\(path == "-" ? "standard input" : path) holds no code of a tracker",
          hint: OnboardingCodeSource.hint)
      }
      return code
    case .picture(let path):
      var bytes = try PictureReader.texts(in: path)
      defer { wipe(&bytes) }
      guard let code = OnboardingCodeSource.code(inLinesOf: bytes) else {
        throw CommandFailure(
          .unreadableInput, "the QR code in \(path) is not a tracker's",
          hint: OnboardingCodeSource.hint)
      }
      return code
    }
  }

  private static let hint = "it is the line on the label that begins with LUNA1:"

  /// The first line that is a code.
  private static func code(inLinesOf bytes: [UInt8]) -> OnboardingCode? {
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = String(decoding: line, as: UTF8.self)
      let words = text.split(separator: " ")
      if let word = words.first, words.count == 1, let code = try? OnboardingCode(text: word) {
        return code
      }
    }
    return nil
  }
}
