import EventLoop
import FileOutput

/// Files that are read whole.
enum InputFile {
  /// The bytes of the file `path`; `-` is standard input.
  static func read(_ path: String) async throws(CommandFailure) -> [UInt8] {
    try await Blocking.run { () throws(CommandFailure) in try readInPlace(path) }
  }

  /// The same for who may block: within a call that `Blocking` makes.
  static func readInPlace(_ path: String) throws(CommandFailure) -> [UInt8] {
    do throws(FileInputError) {
      return try FileInput.read(path)
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension CommandFailure {
  /// Why a file cannot be read.
  init(_ error: FileInputError) {
    self.init(ExitCode(error.kind), error)
  }
}
