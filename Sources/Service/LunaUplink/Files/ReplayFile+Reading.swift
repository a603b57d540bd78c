import Diagnosis
package import UplinkProtocol

extension ReplayFile {
  /// Reads a file of samples.
  ///
  /// - Parameter path: the file; `-` is standard input.
  /// - Throws: ``UplinkError`` of kind `denied` or `unreadable`.
  package static func read(_ path: String) async throws(UplinkError) -> ReplayFile {
    let bytes = try await UplinkFile.bytes(of: path)
    do throws(ReplayFileError) {
      return try ReplayFile(bytes)
    } catch {
      throw UplinkError(
        .unreadable, "\(UplinkFile.name(path)) is no file of samples: \(error)",
        remedy: "a replay is written [[Mbit/s,...],[seconds,...]]")
    }
  }

  /// Reads a file of the samples of one replay, as ``read(_:)`` does.
  package static func readSide(_ path: String) async throws(UplinkError) -> ReplaySamples {
    let file = try await read(path)
    guard file.control == nil else {
      throw UplinkError(
        .unreadable, "\(UplinkFile.name(path)) holds two replays, and one is asked for",
        remedy: "write original and control into a file each")
    }
    return file.original
  }
}
