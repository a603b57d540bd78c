import ChildProcess
import Glibc

/// The service luna-finder of systemd: as a package has installed it, or as it is installed here.
struct GatewayService: Sendable {
  /// Where systemd looks, the first one winning (systemd.unit(5)).
  private static let folders = [
    "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system", "/lib/systemd/system",
  ]
  /// What the unit keeps the service from seeing (ProtectHome, PrivateTmp).
  private static let hidden = ["home", "root", "run/user", "tmp", "var/tmp"]

  /// The command line that the unit starts; nil when it is not installed.
  private let command: [Substring]?

  init() { command = Self.file(FinderUnit.name).map { Self.command($0) } }

  private static func file(_ name: String) -> String? {
    folders.map { $0 + "/" + name }.first { access($0, R_OK) == 0 }
  }

  /// The words of the last `ExecStart=` in a file.
  private static func command(_ file: String) -> [Substring] {
    guard let bytes = try? InputFile.readInPlace(file) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .last { $0.hasPrefix("ExecStart=") }?.split(separator: " ") ?? []
  }

  private static func value(of option: String, in words: [Substring]) -> String? {
    guard let place = words.firstIndex(of: option[...]), place + 1 < words.endIndex else {
      return nil
    }
    return String(words[place + 1])
  }

  /// Where the service keeps its state.
  var state: String? { Self.value(of: "--state", in: command ?? Self.unitCommand) }

  private static var unitCommand: [Substring] {
    FinderUnit.text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }?
      .split(separator: " ") ?? []
  }

  /// The file that the service reads, in a directory: the one that the unit names; the one of before
  /// there was luna.conf, where it is, since it wins; else luna.conf.
  func configuration(in directory: String) -> String {
    if let named = Self.value(of: "--config", in: command ?? []), named.hasPrefix(directory + "/") {
      return named
    }
    let former = directory + "/finder.conf"
    return access(former, F_OK) == 0 ? former : directory + "/luna.conf"
  }

  /// Refuses what could not be started, or what it would not read, before anything is asked.
  func check(_ directory: String) throws(CommandFailure) {
    guard Self.hasSystemd else { return }
    let named = Self.value(of: "--config", in: command ?? [])
    let read = named ?? SetupGatewayCommand.usualDirectory + "/luna.conf"
    let folder = directory.hasSuffix("/") ? directory : directory + "/"
    guard folder == SetupGatewayCommand.usualDirectory + "/" || read.hasPrefix(folder) else {
      throw CommandFailure(
        .usage, "the service luna-finder reads \(read), and nothing in \(directory)",
        hint: "leave --directory out, or add --no-service and start luna finder yourself")
    }
    guard command == nil else { return }
    let program = Self.program
    guard !Self.hidden.contains(where: { program.hasPrefix("/\($0)/") }) else {
      throw CommandFailure(
        .usage, "a service cannot start \(program): it sees nothing of that directory",
        hint: "install -m 755 \(program) \(FinderUnit.usualProgram), and call that one")
    }
  }

  private static var hasSystemd: Bool { access("/run/systemd/system", F_OK) == 0 }

  /// This program, as it is installed.
  private static var program: String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map {
        readlink("/proc/self/exe", $0.assumingMemoryBound(to: CChar.self), buffer.count)
      } ?? 0
    }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : FinderUnit.usualProgram
  }

  /// Starts the service, now and with the machine, installing it where it is not; or says what to do.
  func start(_ diagnostics: Diagnostics) async throws {
    guard Self.hasSystemd else {
      return diagnostics.note(
        "luna: systemd does not run here: let your service manager run luna finder")
    }
    if command == nil { try install(diagnostics) }
    try await systemctl("daemon-reload")
    try await systemctl("enable", FinderUnit.name)
    try await systemctl("restart", FinderUnit.name)
    diagnostics.note("luna: the service luna-finder runs, and starts with the machine")
  }

  /// Makes who the service runs as, where no package has: before files that are for it, and before
  /// the unit, by which the next attempt would know that all of it is there.
  func makeUser() async throws {
    guard Self.hasSystemd, command == nil else { return }
    // bluez brings the group; the service is in it wherever it comes from.
    if getgrnam("bluetooth") == nil { try await run(["groupadd", "--system", "bluetooth"]) }
    if getpwnam(FinderUnit.user) == nil {
      try await run([
        "useradd", "--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent",
        "--shell", "/usr/sbin/nologin", FinderUnit.user,
      ])
    }
  }

  /// Writes the unit that no package has brought.
  private func install(_ diagnostics: Diagnostics) throws {
    let folder = Self.folders[0]
    let text = FinderUnit.text(program: Self.program)
    if Self.file(FinderUnit.helperSocket) == nil {
      let more = "\(folder)/\(FinderUnit.name).d"
      if mkdir(more, 0o755) != 0, errno != EEXIST {
        throw CommandFailure(.noPermission, "cannot make \(more): \(ErrorText.of(errno))")
      }
      try OutputFile.write(
        Array(FinderUnit.ambient.utf8), to: "\(more)/\(FinderUnit.ambientName)", replacing: true)
    }
    try OutputFile.write(Array(text.utf8), to: "\(folder)/\(FinderUnit.name)", replacing: false)
    diagnostics.note("luna: the service is in \(folder)/\(FinderUnit.name)")
  }

  private func systemctl(_ words: String...) async throws {
    try await run(["systemctl"] + words)
  }

  private func run(_ words: [String]) async throws {
    let status: Int32
    do throws(ProgramRun.Failure) {
      status = try await ProgramRun.run(words).status
    } catch {
      throw CommandFailure(.lost, "cannot run \(words[0]): \(ErrorText.of(error.code))")
    }
    guard status == 0 else {
      throw CommandFailure(
        .lost, "\(words.joined(separator: " ")) failed (it exited with \(status))",
        hint: words[0] == "systemctl" ? "journalctl -u luna-finder says why" : nil)
    }
  }
}
