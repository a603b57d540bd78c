import CWebAssets
import Gzip

/// A file of the apps in browsers, for pages that are not served.
package enum AppFile {
  /// No file is longer.
  private static let longest = 16 << 20

  /// What is in a file; nil where there is none of this name.
  package static func text(_ name: String) -> String? {
    var count = 0
    let assets = luna_web_assets(&count)
    for index in 0..<count {
      guard let file = assets?[index], String(cString: file.path) == name else { continue }
      let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
      guard bytes.starts(with: [0x1F, 0x8B]) else { return String(decoding: bytes, as: UTF8.self) }
      return (try? Gzip.inflate(bytes, limit: longest)).map { String(decoding: $0, as: UTF8.self) }
    }
    return nil
  }
}
