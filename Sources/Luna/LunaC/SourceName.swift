import BlueZ
import Bluetooth
import Captures
import Luna
import TrackerSimulation

/// A source as luna.h names it.
enum SourceName {
  /// What hears.
  ///
  /// - Throws: ``Failure`` for a name that means nothing, or what the radio says of it.
  static func provider(_ name: String) throws -> any RadioProvider {
    if let path = rest(of: name, behind: "file:") { return CaptureRadio(path) }
    var word = name
    var options = ScanOptions()
    if !name.hasPrefix("h4:"), let at = name.lastIndex(of: "@") {
      word = String(name[..<at])
      guard let adapter = AdapterSelector(String(name[name.index(after: at)...])) else {
        throw Failure.invalid("\(name) names no adapter behind the @")
      }
      options.adapters = [adapter]
    }
    switch try RadioName(word) {
    case .virtual(let seed):
      guard options.adapters.isEmpty else {
        throw Failure.invalid("\(name): a simulated room has no adapter")
      }
      return try TrackerRoom(seed: seed)
    case .path(let path):
      let radio = AdapterRadio(path, options: options)
      // What makes no sense is said at once.
      _ = try radio.makeRadio(.auto)
      return radio
    }
  }

  private static func rest(of name: String, behind prefix: String) -> String? {
    name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
  }
}
