import EventLoop
import FileOutput

/// Files that checks are made of.
enum UplinkFile {
  /// The bytes of one; `-` is standard input.
  static func bytes(of path: String) async throws(UplinkError) -> [UInt8] {
    do throws(FileInputError) {
      return try await Blocking.run { () throws(FileInputError) in try FileInput.read(path) }
    } catch {
      throw UplinkError(error)
    }
  }

  /// The bytes of one of ours in a state directory; nil when there is none.
  static func ownBytes(of path: String) async throws(UplinkError) -> [UInt8]? {
    do throws(FileInputError) {
      return try await Blocking.run { () throws(FileInputError) in try FileInput.readOwn(path) }
    } catch {
      throw UplinkError(error)
    }
  }

  /// How messages call it.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
