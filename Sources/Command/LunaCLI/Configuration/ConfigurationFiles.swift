import CommandSpec
import Glibc

/// The files in which options may stand, the last one winning: that of the machine, that of the user,
/// and the one that is named.
enum ConfigurationFiles {
  /// A file that was looked for.
  struct Look: Sendable {
    let path: String
    /// What it says, as far as it can be understood; nil when it is not there, or cannot be read.
    var file: ConfigurationFile?
    /// What in it makes no sense by itself.
    var problems: [UsageError] = []
    /// Why it cannot be read; nil also when it is not there and need not be.
    var failure: CommandFailure?
    /// Whether it is the one of `--config`.
    let isNamed: Bool

    /// Why a command does without it: it may be for others only, and nobody has named it.
    var skipped: CommandFailure? {
      failure.flatMap { !isNamed && $0.code == .noPermission ? $0 : nil }
    }
  }

  /// Names another file than that of the machine; for tests, `/dev/null`.
  static let systemVariable = "LUNA_SYSTEM_CONFIG"
  static let systemPath = "/etc/luna/luna.conf"
  /// What the service luna-finder read before there was that one. Where it is, it still holds, and wins;
  /// it was for the service alone, and so users who may not read it do without.
  static let formerFinderPath = "/etc/luna/finder.conf"

  /// Reads all that are there.
  ///
  /// - Parameter named: the file of `--config`.
  static func look(named: String?) async -> [Look] {
    var looks: [Look] = []
    for path in system + [user].compactMap(\.self) { looks.append(await look(path, mustBe: false)) }
    if let named { looks.append(await look(named, mustBe: true)) }
    return looks
  }

  /// The files, without a mistake in them that can be seen from the file alone.
  ///
  /// - Parameter skipped: why files are left out that this user may not read.
  static func read(
    named: String?, skipped: inout [CommandFailure]
  ) async throws -> [ConfigurationFile] {
    let looks = await look(named: named)
    skipped = looks.compactMap(\.skipped)
    return try looks.filter { $0.skipped == nil }.compactMap { look in
      if let failure = look.failure { throw failure }
      if let problem = look.problems.first { throw problem }
      return look.file
    }
  }

  private static var system: [String] {
    if let named = variable(systemVariable) { return [named] }
    return access(formerFinderPath, R_OK) == 0 ? [systemPath, formerFinderPath] : [systemPath]
  }

  /// XDG Base Directory Specification; a relative path is to be ignored.
  static var user: String? {
    let base =
      variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? variable("HOME").map { $0 + "/.config" }
    return base.map { $0 + "/luna/luna.conf" }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func look(_ path: String, mustBe: Bool) async -> Look {
    var look = Look(path: path, isNamed: mustBe)
    // A home that may not be looked into, as that of another user, has no file for us.
    if !mustBe, access(path, F_OK) != 0 { return look }
    do throws(CommandFailure) {
      look.file = ConfigurationFile(
        try await InputFile.read(path), name: path, problems: &look.problems)
    } catch {
      // What cannot be read is the command line's fault here, not an input's.
      let hint = mustBe ? "name a file that exists after --config" : error.hint
      look.failure =
        error.code == .noPermission
        ? error : CommandFailure(.usage, error.reason, hint: hint)
    }
    return look
  }
}
