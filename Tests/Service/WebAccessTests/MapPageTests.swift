import Bluetooth
import Foundation
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import Testing

@testable import WebAccess

struct MapPageTests {
  private static let hostile = "</script><img src=x onerror=\"canary=1\"><!-- {\"a\":1}\u{202e}"
  private static let start: Int64 = 1_795_255_200_000

  private static func event(
    _ minutes: Int64, _ latitude: Double, _ longitude: Double, isPlausible: Bool = true
  ) throws -> Event {
    let time = start + minutes * 60_000
    return Event(
      record: try LocationRecord(
        ReportedLocation(
          collectedAt: time, latitude: latitude, longitude: longitude, altitude: nil,
          horizontalAccuracy: 12.5, rssi: -60)),
      eid: EID(value: 0xABCD), heid: HEID(high: 1, low: 2), period: 5,
      status: .success(TrackerStatus(battery: .low)),
      receivedAt: Timestamp(microseconds: (time + 1000) * 1000), isPlausible: isPlausible)
  }

  private static func page(_ events: [Event]) throws -> String {
    try MapPage(events, name: hostile).text
  }

  /// What stands between two texts, each time.
  private func parts(_ text: String, after start: String, before end: String) -> [String] {
    text.components(separatedBy: start).dropFirst().map {
      $0.components(separatedBy: end)[0]
    }
  }

  /// The data of a page, as its script reads them.
  private func read(_ page: String) throws -> [String: Any] {
    let block = try #require(
      parts(
        page, after: "<script type=\"application/json\" id=\"events\">", before: "</script>"
      ).first)
    #expect(!block.contains("<"))
    return try #require(
      try JSONSerialization.jsonObject(with: Data(block.utf8)) as? [String: Any])
  }

  @Test func holdsAllEventsAsData() throws {
    let events = try (0..<40).map {
      try Self.event(Int64($0), 52.5, 13.25, isPlausible: $0 != 3)
    }
    let far = try Self.event(40, 52.5, 14.5)
    let data = try read(try Self.page(events + [far]))
    let rows = try #require(data["events"] as? [[String: Any]])
    #expect(rows.count == 41)
    #expect(rows[0]["time"] as? String == "2026-11-21T10:00:00.000000Z")
    #expect(rows[0]["latitude"] as? Double == 52.5)
    #expect(rows[0]["longitude"] as? Double == 13.25)
    #expect(rows[0]["horizontalAccuracy"] as? Double == 12.5)
    #expect(rows[0]["batteryLow"] as? Bool == true)
    #expect(rows[3]["plausible"] as? Bool == false)
    #expect(rows.filter { $0["far"] as? Bool == true }.count == 1)
    #expect(
      rows[0]["link"] as? String
        == "https://www.openstreetmap.org/?mlat=52.50000&mlon=13.25000#map=17/52.50000/13.25000")
    let none = try #require(
      try read(try Self.page([]))["events"] as? [[String: Any]])
    #expect(none.isEmpty)
  }

  @Test func aNameIsNeverMarkup() throws {
    let page = try Self.page([try Self.event(0, 52.5, 13.25)])
    // As it is, but for what turns the direction.
    #expect(
      try read(page)["name"] as? String
        == Self.hostile.replacingOccurrences(of: "\u{202e}", with: "\\u202e"))
    #expect(!page.contains("<img") && !page.contains("<!--"))
    // The data, Leaflet, and the page's own.
    #expect(page.components(separatedBy: "<script").count == 4)
    #expect(page.components(separatedBy: "</script").count == 4)
    #expect(page.components(separatedBy: "</style").count == 3)
  }

  @Test func itsPolicyAllowsWhatItHasAndNothingElse() throws {
    let page = try Self.page([try Self.event(0, 52.5, 13.25)])
    let policy = try #require(
      parts(page, after: "http-equiv=\"Content-Security-Policy\" content=\"", before: "\"").first)
    var rules: [String: [String]] = [:]
    for rule in policy.components(separatedBy: "; ") {
      let words = rule.components(separatedBy: " ")
      rules[words[0]] = Array(words.dropFirst())
    }
    func hash(_ text: String) throws -> String {
      let bytes = Array(text.utf8)
      let digest = try SHA256.digest(of: bytes.span)
      let sum = Data(digest.indices.map { digest[$0] })
      return "'sha256-\(sum.base64EncodedString())'"
    }
    let scripts = parts(page, after: "<script>", before: "</script>")
    let sheets = parts(page, after: "<style>", before: "</style>")
    #expect(scripts.count == 2 && sheets.count == 2)
    #expect(scripts.allSatisfy { !$0.isEmpty } && sheets.allSatisfy { !$0.isEmpty })
    let (scriptHashes, sheetHashes) = (try scripts.map(hash), try sheets.map(hash))
    #expect(rules["script-src"] == scriptHashes)
    #expect(rules["style-src"] == sheetHashes)
    #expect(rules["default-src"] == ["'none'"])
    #expect(rules["base-uri"] == ["'none'"])
    #expect(rules["form-action"] == ["'none'"])
    #expect(rules["img-src"] == ["data:", "https://tile.openstreetmap.org"])
    #expect(rules.count == 6)
  }

  @Test func namesNoOtherHosts() throws {
    let page = try Self.page([try Self.event(0, 52.5, 13.25)])
    var hosts: Set<String> = []
    for scheme in ["http://", "https://"] {
      for part in page.components(separatedBy: scheme).dropFirst() {
        hosts.insert(String(part.prefix { $0.isLetter || $0.isNumber || $0 == "." }))
      }
    }
    // A name space, links, the home of Leaflet in its licence and in what it would say of itself, and the tiles.
    #expect(
      hosts == [
        "www.w3.org", "www.openstreetmap.org", "leafletjs.com", "tile.openstreetmap.org",
      ])
    #expect(!page.contains("<link") && !page.contains(" src=\"") && !page.contains("@import"))
    #expect(!page.contains("sourceMappingURL"))
    #expect(!page.contains("style=\""))
  }

  /// The script words times for who looks; the data has them in UTC.
  @Test func showsTimesOnTheClocksOfWhoLooks() throws {
    let page = try Self.page([try Self.event(0, 52.5, 13.25)])
    #expect(page.contains("Intl.DateTimeFormat") && page.contains("id=\"zone\""))
    #expect(!page.contains("Time (UTC)"))
    #expect(page.contains("may refuse a page that is opened from a disk"))
  }

  @Test func keepsTheLicenceOfItsLibrary() throws {
    let page = try Self.page([])
    #expect(page.contains("Copyright (c) 2010-2019, Vladimir Agafonkin"))
    #expect(page.contains("Redistributions in binary form must reproduce"))
    #expect(page.contains("<html lang=\"en\">"))
  }
}
