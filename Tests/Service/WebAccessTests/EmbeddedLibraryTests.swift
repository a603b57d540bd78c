import Foundation
import Testing

/// The work of others that the pages have in them is said where people look for it.
@Suite struct EmbeddedLibraryTests {
  /// How a library is called where its licence is said, by the beginning of the names of its files.
  private static let names = [
    "chart": "Chart.js", "leaflet": "Leaflet,", "leaflet.markercluster": "Leaflet.markercluster",
    "MarkerCluster": "Leaflet.markercluster",
  ]
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The libraries among the files that are embedded.
  private static func embedded() throws -> Set<String> {
    let lines = try text("Sources/Ground/CWebAssets/files.h").split(separator: "\n")
    let files = lines.filter { $0.contains("#embed \"/") }.compactMap { line in
      line.split(separator: "/").last.map { String($0) }
    }
    return Set(
      files.map { file in
        let known = names.keys.filter { file.hasPrefix($0 + ".") }
        return known.max { $0.count < $1.count } ?? file
      })
  }

  @Test func eachLibraryIsNamedBesideItsLicence() throws {
    let libraries = try Self.embedded()
    #expect(libraries == Set(Self.names.keys), "a library that nobody has named here")
    let pages = ["home/more.js", "pages/about.js"].map { "Sources/Ground/CWebAssets/ui/\($0)" }
    for library in libraries {
      let name = try #require(Self.names[library])
      for page in pages { #expect(try Self.text(page).contains("'\(name)"), "\(name) in \(page)") }
      let inNotice = name.filter { $0 != "," }
      #expect(try Self.text("NOTICE").contains(inNotice), "\(name) in NOTICE")
    }
  }
}
