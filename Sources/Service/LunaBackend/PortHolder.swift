import FileOutput
import Glibc

/// Who listens on a port of this machine, as far as this user may know (proc(5)).
package enum PortHolder {
  /// The process of a backend of ours that listens on a port; nil when it is another program, or may
  /// not be looked at.
  package static func backend(on port: UInt16) -> Int32? {
    let sockets = listeningSockets(on: port)
    if sockets.isEmpty { return nil }
    for name in Directory.names(in: "/proc") ?? [] {
      guard let process = Int32(name), isBackend(process) else { continue }
      let folder = "/proc/\(process)/fd"
      for descriptor in Directory.names(in: folder) ?? []
      where holds("\(folder)/\(descriptor)", sockets) {
        return process
      }
    }
    return nil
  }

  /// What links of descriptors call the sockets that listen on a port.
  private static func listeningSockets(on port: UInt16) -> Set<String> {
    var found: Set<String> = []
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      for line in text(of: table).split(separator: "\n").dropFirst() {
        // Number, local address and port, remote ones, state (0A: listens), …, inode as the tenth.
        let words = line.split(separator: " ")
        guard words.count > 9, words[3] == "0A", let colon = words[1].lastIndex(of: ":"),
          UInt16(words[1][words[1].index(after: colon)...], radix: 16) == port
        else { continue }
        found.insert("socket:[\(words[9])]")
      }
    }
    return found
  }

  /// Whether a process runs this program, as `luna backend …`.
  private static func isBackend(_ process: Int32) -> Bool {
    let words = text(of: "/proc/\(process)/cmdline").split(
      separator: "\0", omittingEmptySubsequences: false)
    guard words.count > 1, process != getpid(), words.dropFirst().contains("backend") else {
      return false
    }
    return words[0].split(separator: "/").last == "luna"
  }

  private static func holds(_ descriptor: String, _ sockets: Set<String>) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map {
        readlink(descriptor, $0.assumingMemoryBound(to: CChar.self), buffer.count)
      } ?? 0
    }
    return count > 0 && sockets.contains(String(decoding: bytes[..<count], as: UTF8.self))
  }

  private static func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += piece[..<count]
    }
  }
}
