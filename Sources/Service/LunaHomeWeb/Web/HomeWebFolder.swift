import Glibc
import HTTPServer
import LunaCrypto
import WebAccess

/// The folder with screens and controls of somebody's own: `server.webRoot`.
struct HomeWebFolder: Sendable {
  /// Where browsers find what is in it.
  static let prefix = "/ui/web/"
  /// Nobody writes a longer one by hand.
  private static let limit = 4 << 20
  private static let types = [
    "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
    "webp": "image/webp",
  ]

  let path: String

  /// A file of it as browsers get it; nil where there is none of that name, or it is none that is given away.
  func asset(_ name: some StringProtocol) throws(CryptoError) -> Asset? {
    guard let type = HomeWebFolder.type(name), let bytes = read(String(name)) else { return nil }
    return try Asset(type, hashing: bytes)
  }

  /// What a file is by its name; nil for names that could lead elsewhere.
  private static func type(_ name: some StringProtocol) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isPlain, name.utf8.count <= 128, !name.hasPrefix("."),
      let dot = name.lastIndex(of: ".")
    else { return nil }
    return types[String(name[name.index(after: dot)...])]
  }

  /// The bytes of a file of it.
  func read(_ name: String) -> [UInt8]? {
    let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= HomeWebFolder.limit, isInside(descriptor)
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      guard more > 0 else { break }
      count += more
    }
    return Array(bytes.prefix(count))
  }

  /// Whether what was opened lies in the folder: a link may have led out of it.
  private func isInside(_ descriptor: Int32) -> Bool {
    guard let root = HomeWebFolder.resolved(path),
      let place = HomeWebFolder.resolved("/proc/self/fd/\(descriptor)")
    else { return false }
    return place.hasPrefix(root == "/" ? root : root + "/")
  }

  private static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
