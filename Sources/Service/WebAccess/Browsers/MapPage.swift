import Bluetooth
import LunaCore
import LunaCrypto
import LunaJSON
package import LunaOwner
import LunaProtocol
import SafeText

/// Events as one file for a browser: a map, and a list beside it. It loads nothing; only who asks for streets, by a
/// button that says what that tells whom, has tiles loaded.
///
/// It is made here and not beside the other forms, in LunaOwner: Leaflet lies with the files of the apps in browsers,
/// whose door is this room, and that is of a later district.
package struct MapPage {
  private static let tiles = "https://tile.openstreetmap.org"

  private let data: String

  /// - Parameter name: what the owner calls the tracker.
  package init(_ events: [Event], name: String) {
    let isWithin = MapFrame(events).isWithin
    let rows = zip(events, isWithin).map { event, isWithin in
      var row: JSONObject = [
        "time": .string(event.collectedAt.rfc3339), "latitude": .real(event.latitude),
        "longitude": .real(event.longitude), "plausible": .bool(event.isPlausible),
        "far": .bool(!isWithin), "link": .string(MapLink(event.record).page),
      ]
      if let isLow = (try? event.status.get())?.battery.isLow {
        row.append("batteryLow", .bool(isLow))
      }
      if let accuracy = event.location.horizontalAccuracy {
        row.append("horizontalAccuracy", .real(accuracy))
      }
      return JSONValue.object(row)
    }
    let data = JSONValue.object(["name": .string(EscapedText.line(name)), "events": .array(rows)])
    // Nothing in it can end the element that it stands in.
    var text: [UInt8] = []
    for byte in data.bytes {
      if byte == UInt8(ascii: "<") { text += "\\u003c".utf8 } else { text.append(byte) }
    }
    self.data = String(decoding: text, as: UTF8.self)
  }

  /// The file.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto offers no SHA-256.
  package var text: String {
    get throws(CryptoError) {
      // Debian's build of Leaflet has lost the comment with its licence, which has to come with it.
      let library = MapPage.file("events/license.js") + MapPage.file("libraries/leaflet.js")
      let script = MapPage.file("events/page.js")
      let librarySheet = MapPage.file("libraries/leaflet.css")
      let sheet = MapPage.file("events/page.css")
      let scripts = [try MapPage.hash(library), try MapPage.hash(script)]
      let sheets = [try MapPage.hash(librarySheet), try MapPage.hash(sheet)]
      let policy = [
        "default-src 'none'", "script-src " + scripts.joined(separator: " "),
        "style-src " + sheets.joined(separator: " "),
        // Leaflet has a picture of one pixel in itself, for tiles that are not needed any more.
        "img-src data: " + MapPage.tiles, "base-uri 'none'", "form-action 'none'",
      ].joined(separator: "; ")
      // The servers of tiles refuse who says nothing of where he comes from: where somebody puts the file on a web
      // server, they learn its name, and no path. A file on a disk has none, and links never say it.
      return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="referrer" content="strict-origin">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Where a tracker was</title>
        <style>\(librarySheet)</style>
        <style>\(sheet)</style>
        </head>
        <body>
        <h1></h1>
        <p id="summary"></p>
        <noscript><p>The map and the list need scripts, which this file has in itself.</p></noscript>
        <p id="tools">
        <button type="button" id="streets">\
        Show streets: openstreetmap.org then learns which places are looked at</button>
        <small>Public servers of streets may refuse a page that is opened from a disk.</small>
        <button type="button" id="all" hidden>Show also what is far away</button>
        </p>
        <main>
        <div id="map" role="region" aria-label="Map" tabindex="0"></div>
        <div id="list" role="region" aria-label="List" tabindex="0"><table>
        <caption>Each place is a link to openstreetmap.org, which learns of it when you follow it.</caption>
        <thead><tr><th scope="col" id="zone">Time</th><th scope="col">Place</th>\
        <th scope="col">Accuracy</th><th scope="col">Note</th></tr></thead>
        <tbody></tbody>
        </table></div>
        </main>
        <script type="application/json" id="events">\(data)</script>
        <script>\(library)</script>
        <script>\(script)</script>
        </body>
        </html>

        """
    }
  }

  /// A file of the apps without the name of its source map, which a browser would look for beside the page.
  private static func file(_ name: String) -> String {
    let lines = (AppFile.text(name) ?? "").utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    return lines.filter {
      !$0.hasPrefix("//# sourceMappingURL") && !$0.hasPrefix("/*# sourceMappingURL")
    }.joined(separator: "\n")
  }

  /// How a policy allows a script or a sheet that stands in the page (CSP 3, 6.7.3.3).
  private static func hash(_ text: String) throws(CryptoError) -> String {
    let bytes = Array(text.utf8)
    let digest = try SHA256.digest(of: bytes.span)
    let sum = digest.indices.map { digest[$0] }
    return "'sha256-" + Base64.encode(sum.span) + "'"
  }
}
