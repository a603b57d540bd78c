import Bluetooth
import EventLoop
import FileOutput
import Glibc
import LunaClient
import SafeText
import Synchronization
import WebAccess

/// A server of map tiles that the file names. The box asks it and keeps what it gave: no browser tells
/// anybody where its owner looks, and nothing is asked for twice in a week.
final class TileServer: Sendable {
  /// How long a tile is kept, s.
  private static let age: Int64 = 7 * 86_400
  /// After a failure the server is left alone for so long, s.
  private static let pauseLength: Int64 = 30
  /// The closest zoom level.
  static let deepest: Int64 = 19

  /// The address, with `{z}`, `{x}` and `{y}`.
  private let template: String
  /// Where tiles are kept: a tile has one of 4096 places, and takes that of the one before.
  private let folder: HomeWebFolder
  private let client: HTTPClient
  private let quietUntil = Mutex<Int64>(0)

  /// - Parameters:
  ///   - folder: is made when the first tile is kept.
  ///   - limit: how long a request may take.
  init(_ template: String, folder: String, within limit: Duration) throws(HTTPError) {
    self.template = template
    self.folder = HomeWebFolder(path: folder)
    // Who writes http wants it.
    var configuration = ClientConfiguration(url: template)
    configuration.allowsInsecure = true
    configuration.totalTimeout = limit
    configuration.answerLimit = 1 << 20
    client = try HTTPClient(configuration)
  }

  /// Whether its tiles are photographs, as far as their address says it.
  var isPhotographs: Bool { template.hasSuffix(".jpg") || template.hasSuffix(".jpeg") }

  /// Whom the map is owed to.
  var attribution: String {
    let host = template.split(separator: "/").dropFirst().first.map { String($0) } ?? template
    return host.hasSuffix("openstreetmap.org") ? "© OpenStreetMap contributors" : host
  }

  /// A tile: one that was kept, else what the server says. An old one is better than none.
  ///
  /// - Returns: its media type and its bytes; nil where there is none.
  /// - Throws: ``HTTPError`` at the first request that fails; after that it is quiet for a while.
  func tile(
    level: Int64, column: Int64, row: Int64, at time: Timestamp
  ) async throws(HTTPError) -> (type: String, bytes: [UInt8])? {
    guard (0...TileServer.deepest).contains(level) else { return nil }
    let count = Int64(1) << level
    guard (0..<count).contains(column), (0..<count).contains(row) else { return nil }
    let now = time.microseconds / 1_000_000
    let url = template.replacing(text: "{z}", with: "\(level)")
      .replacing(text: "{x}", with: "\(column)").replacing(text: "{y}", with: "\(row)")
    // Those of one view have places of their own.
    let place = "\(((column & 63) << 6 | row & 63) ^ (level * 577 & 4095))"
    let kept = await Blocking.run { [folder] in TileServer.kept(in: folder, place, url) }
    var old: (type: String, bytes: [UInt8])?
    if let kept, let type = MBTiles.type(of: kept.bytes) { old = (type, kept.bytes) }
    if let kept, let old, (0..<TileServer.age).contains(now - kept.time) { return old }
    let rest = quietUntil.withLock { $0 - now }
    guard rest <= 0 || rest > TileServer.pauseLength else { return old }
    do throws(HTTPError) {
      let answer = try await client.send("GET", url)
      guard answer.status == 200, let type = MBTiles.type(of: answer.body) else {
        // Of the sea there may be none.
        if ![200, 204, 404].contains(answer.status) { pause(at: now) }
        return old
      }
      await keep("\(now) \(url)\n", answer.body, at: place)
      return (type, answer.body)
    } catch {
      pause(at: now)
      if let old { return old }
      throw error
    }
  }

  private func pause(at now: Int64) { quietUntil.withLock { $0 = now + TileServer.pauseLength } }

  private static func kept(
    in folder: HomeWebFolder, _ place: String, _ url: String
  ) -> (time: Int64, bytes: [UInt8])? {
    guard let bytes = folder.read(place), let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard head.count == 2, head[1] == url, let time = Int64(head[0]), time >= 0 else { return nil }
    return (time, Array(bytes[(end + 1)...]))
  }

  /// Keeps a tile; without room for it the map goes on.
  private func keep(_ head: String, _ bytes: [UInt8], at place: String) async {
    await Blocking.run { [path = folder.path] () -> Void in
      mkdir(path, 0o700)
      try? FileOutput.write(
        Array(head.utf8) + bytes, to: path + "/" + place, replacing: true, isSecret: true)
    }
  }
}
