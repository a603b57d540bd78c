import Glibc
import LunaCrypto
import LunaProtocol

/// Where the code of a tracker comes from.
enum OnboardingCodeSource: Sendable {
  case word(OnboardingCode)
  case file(String)
  case picture(String)

  /// The code.
  func read() async throws(CommandFailure) -> OnboardingCode {
    switch self {
    case .word(let code): return code
    case .file(let path):
      var bytes = try await InputFile.read(path)
      defer { wipe(&bytes) }
      guard let code = OnboardingCode.first(inLinesOf: bytes) else {
        let mistake = OnboardingCodeSource.mistake(in: bytes).map { ": \($0)" } ?? ""
        throw CommandFailure(
          .unreadableInput,
          "\(path == "-" ? "standard input" : path) holds no code of a tracker\(mistake)",
          hint: OnboardingCodeSource.hint)
      }
      return code
    case .picture(let path):
      var bytes = try await PictureReader.texts(in: path)
      defer { wipe(&bytes) }
      guard let code = OnboardingCode.first(inLinesOf: bytes) else {
        throw CommandFailure(
          .unreadableInput, "the QR code in \(path) is not a tracker's",
          hint: OnboardingCodeSource.hint)
      }
      return code
    }
  }

  /// What is wrong with the first line that looks like a code and is none. It is not repeated.
  private static func mistake(in bytes: [UInt8]) -> String? {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      guard let word = words.first, words.count == 1, word.uppercased().hasPrefix("LUNA1:")
      else { continue }
      do throws(OnboardingCodeRejection) {
        _ = try OnboardingCode(text: word)
      } catch {
        return "in line \(index + 1) \(error.words(in: word))"
      }
    }
    return nil
  }

  private static let hint = "it is the line on the label that begins with LUNA1:"
}
