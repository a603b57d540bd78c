import Bluetooth
import EventLoop
import FileOutput
import Glibc
import LunaCore
import LunaCrypto
import LunaJSON
import LunaStore
import UplinkProtocol

/// The consent to the uplink check, in a file of the state directory.
struct UplinkConsent {
  private static let fileName = "uplink-consent.json"

  private let directory: String
  /// The hash of the text.
  let hash: String

  private var path: String { "\(directory)/\(UplinkConsent.fileName)" }

  /// - Parameter directory: that of the state.
  init(in directory: String) throws {
    self.directory = directory
    hash = try ConsentText.hash()
  }

  /// The consent that holds; nil where there is none to this text.
  func current() async throws(CommandFailure) -> Consent? {
    guard access(path, F_OK) == 0 else { return nil }
    guard let consent = Consent(try await InputFile.read(path)), consent.covers(hash) else {
      return nil
    }
    return consent
  }

  /// Stores that somebody has agreed now.
  func give(_ origin: Consent.Origin) async throws -> Consent {
    let consent = Consent(hash: hash, time: Timestamp.now.rfc3339, origin: origin)
    try StateDirectoryMaker.make(directory)
    let (path, bytes) = (path, JSONValue.object(consent.members).bytes)
    try await Blocking.run { () throws(CommandFailure) in
      try OutputFile.writeSecret(bytes, to: path, replacing: true)
    }
    return consent
  }

  /// Takes it back.
  func withdraw() async throws(CommandFailure) {
    let path = path
    try await Blocking.run { () throws(CommandFailure) in
      guard unlink(path) != 0, errno != ENOENT else { return }
      throw CommandFailure(FileOutputError(errno, path: path))
    }
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
