import CommandSpec

/// Reads the file that `--config` names.
enum ConfigurationReader {
  static func read(_ path: String) throws -> ConfigurationFile {
    try ConfigurationFile(try bytes(path), name: path)
  }

  /// What cannot be read is the command line's fault here, not an input's.
  private static func bytes(_ path: String) throws(CommandFailure) -> [UInt8] {
    do throws(CommandFailure) {
      return try InputFile.read(path)
    } catch {
      guard error.code != .noPermission else { throw error }
      throw CommandFailure(.usage, error.reason, hint: "name a file that exists after --config")
    }
  }
}
