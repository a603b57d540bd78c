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
      let file = path == "-" ? "standard input" : path
      let codes = OnboardingCode.all(inLinesOf: bytes)
      guard let code = codes.first else {
        let mistake = OnboardingCode.mistake(inLinesOf: bytes).map { ": \($0)" } ?? ""
        throw CommandFailure(
          .unreadableInput, "\(file) holds no code of a tracker\(mistake)",
          hint: OnboardingCodeSource.hint)
      }
      // A terminal that appends to its log has those of all boards that were at its cable.
      guard codes.allSatisfy({ $0 == code }) else {
        throw CommandFailure(
          .unreadableInput, "\(file) holds the codes of several trackers",
          hint: "leave only the line of the one that is meant")
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
