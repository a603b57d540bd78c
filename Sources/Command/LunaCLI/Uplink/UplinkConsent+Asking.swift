import Bluetooth
import Glibc
import LunaUplink
import UplinkProtocol

extension UplinkConsent {
  /// Stores that somebody has agreed now.
  func give(_ origin: Consent.Origin) async throws -> Consent {
    try await give(origin, at: .now)
  }

  /// Goes on when somebody has agreed, or agrees now at the terminal.
  func require(_ diagnostics: Diagnostics) async throws {
    if try await current() != nil { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandFailure(
        .noPermission, "nothing is sent before somebody has agreed to it",
        hint: "luna uplink consent shows the text; luna uplink consent --accept agrees")
    }
    // Nobody agrees to what is not shown.
    for paragraph in ConsentText.paragraphs { diagnostics.answer(paragraph) }
    do throws(CommandFailure) {
      try await Confirmation.ask("Do you agree?", for: "luna uplink")
    } catch {
      throw CommandFailure(
        .noPermission, "nothing was sent", hint: "luna uplink consent shows what would be")
    }
    _ = try await give(.user)
  }
}
