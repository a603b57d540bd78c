import CommandSpec
import Glibc

/// The files of a gateway: its configuration, and its token, which only systemd or root reads.
struct GatewayFiles: Sendable {
  let configuration: String
  let token: String
  private let directory: String

  init(directory: String, configuration: String) {
    self.directory = directory
    self.configuration = configuration
    token = directory + "/gateway.token"
  }

  var hasToken: Bool { access(token, F_OK) == 0 }

  /// Whether there is a configuration that says nothing yet, as packages bring it: it may be replaced.
  private var isBlank: Bool {
    guard let bytes = try? InputFile.readInPlace(configuration),
      let file = try? ConfigurationFile(bytes, name: configuration)
    else { return false }
    return file.count == 0
  }

  /// Makes the directory, and refuses what could not be written, before anything is asked.
  func check(replacing: Bool) throws(CommandFailure) {
    if mkdir(directory, 0o755) == 0 {
      // Whatever root's umask keeps back: the service is another user, and reads the configuration.
      chmod(directory, 0o755)
    } else if errno != EEXIST {
      let code = errno
      throw CommandFailure(
        code == EACCES || code == EROFS || code == EPERM ? .noPermission : .lost,
        "cannot make the directory \(directory): \(ErrorText.of(code))",
        hint: "run it as root, or give --directory DIR")
    }
    try OutputFile.check(configuration, replacing: replacing || isBlank)
  }

  func checkToken(replacing: Bool) throws(CommandFailure) {
    try OutputFile.check(token, replacing: replacing)
  }

  /// Writes them, the token first: without it, the configuration is worth nothing.
  ///
  /// - Parameter isSecret: whether the settings are for nobody but the service.
  func write(
    _ settings: String, isSecret: Bool, token bytes: [UInt8]?, replacing: Bool,
    _ diagnostics: Diagnostics
  ) throws(CommandFailure) {
    if let bytes {
      try OutputFile.writeSecret(bytes, to: token, replacing: replacing)
      diagnostics.note("luna: the token is in \(token)")
    }
    let isNew = access(configuration, F_OK) != 0
    let replaces = replacing || isBlank
    if isSecret {
      try OutputFile.writeSecret(Array(settings.utf8), to: configuration, replacing: replaces)
      share()
    } else {
      try OutputFile.write(Array(settings.utf8), to: configuration, replacing: replaces)
      if isNew { chmod(configuration, 0o644) }
    }
    diagnostics.note("luna: the configuration is in \(configuration)")
  }

  /// Lets the service read what only its owner may. Who has given a file to a group has chosen.
  private func share() {
    var status = stat()
    guard stat(configuration, &status) == 0, status.st_mode & 0o777 == 0o600,
      let group = getgrnam(FinderUnit.user),
      chown(configuration, uid_t.max, group.pointee.gr_gid) == 0
    else { return }
    chmod(configuration, 0o640)
  }
}
