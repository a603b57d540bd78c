import LunaJSON
package import LunaStore
import UplinkProtocol

/// What the last checks have found.
package enum UplinkDifference {
  /// Whether the last check of something has found a difference; that of uploads, where it was never checked.
  ///
  /// - Parameters:
  ///   - records: all results, the newest first.
  ///   - profile: what was checked.
  package static func isFound(in records: [UplinkRecord], of profile: String) -> Bool {
    var verdicts: [String: String] = [:]
    for record in records {
      guard let json = try? JSONReader.read(Array(record.document.utf8)),
        case .object(let result) = json, result["simulated"] != .bool(true),
        case .string(let name)? = result["profile"],
        case .string(let verdict)? = result["verdict"], verdicts[name] == nil
      else { continue }
      verdicts[name] = verdict
    }
    let differences: [FairnessVerdict] = [.throttled, .prioritised, .blocked]
    let verdict = verdicts[profile] ?? verdicts[BuiltInProfile.upload.rawValue]
    return differences.contains { $0.word == verdict }
  }
}
