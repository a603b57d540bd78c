import LunaHome
import LunaJSON

/// A file that rules are tested with.
enum ReplayedFile {
  static func read(
    _ bytes: [UInt8], who: String, name: String
  ) throws(CommandFailure) -> ReplayFile {
    do throws(FormatError) {
      return try ReplayFile(bytes, who: who)
    } catch {
      throw CommandFailure(
        .unreadableInput, "cannot read \(EscapedPath.text(name)): \(error)",
        hint: "give a day as JSON lines, a capture, GPX or GeoJSON")
    }
  }
}
