import FileOutput

/// Files that a command writes because its user named them.
enum OutputFile {
  /// Writes a file that only its owner may read.
  ///
  /// - Parameter replacing: whether `--force` was given, or the name is ours.
  static func writeSecret(
    _ bytes: [UInt8], to path: String, replacing: Bool
  ) throws(CommandFailure) {
    try write(bytes, to: path, replacing: replacing, isSecret: true)
  }

  /// Writes a file that others may read.
  static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool
  ) throws(CommandFailure) {
    try write(bytes, to: path, replacing: replacing, isSecret: false)
  }

  /// Fails as writing would, for who does something before that cannot be taken back.
  static func check(_ path: String, replacing: Bool) throws(CommandFailure) {
    do throws(FileOutputError) {
      try FileOutput.check(path, replacing: replacing)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// A file that only its owner may read, which takes its place when it is known what is in it.
  ///
  /// - Parameter room: how many bytes it may have: more than any token has.
  static func secretDraft(
    _ path: String, replacing: Bool, room: Int = 4096
  ) throws(CommandFailure) -> FileDraft {
    do throws(FileOutputError) {
      let draft = try FileDraft(of: path, replacing: replacing, isSecret: true)
      try draft.reserve(room)
      return draft
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Writes a draft, and gives it its place.
  static func finish(
    _ draft: borrowing FileDraft, with bytes: [UInt8]
  ) throws(CommandFailure) {
    do throws(FileOutputError) {
      try draft.write(bytes)
      try draft.install()
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool, isSecret: Bool
  ) throws(CommandFailure) {
    do throws(FileOutputError) {
      try FileOutput.write(bytes, to: path, replacing: replacing, isSecret: isSecret)
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension CommandFailure {
  /// Why a file cannot be written.
  init(_ error: FileOutputError) {
    self.init(ExitCode(error.kind), error)
  }
}
