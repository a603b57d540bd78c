import Glibc
import LunaCrypto
import LunaOnboarder
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
        let mistake = OnboardingCode.mistake(inLinesOf: bytes).map { ": \($0)" } ?? ""
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

  private static let hint = "it is the line on the label that begins with LUNA1:"
}
