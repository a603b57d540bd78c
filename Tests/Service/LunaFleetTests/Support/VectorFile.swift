import Foundation
import LunaJSON
import Testing

/// What `scripts/lib/fleet-vectors` made.
enum VectorFile {
  static func cases(_ file: String, _ group: String) throws -> [JSONMembers] {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: file)
    let json = try JSONReader.read([UInt8](try Data(contentsOf: path)))
    return try JSONMembers(json, name: file).array(group).map {
      try JSONMembers($0, name: group)
    }
  }
}
