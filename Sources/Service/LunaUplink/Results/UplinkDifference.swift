import LunaJSON
package import LunaStore
import UplinkProtocol

/// What the last checks have found.
package enum UplinkDifference {
  /// Whether the last check of something has found a difference, one way or the other; that of uploads, where it was
  /// never checked.
  ///
  /// - Parameters:
  ///   - records: all results, the newest first.
  ///   - profile: what was checked.
  package static func isFound(in records: [UplinkRecord], of profile: String) -> Bool {
    // Uploads and downloads are checked one after the other: neither says anything of the other.
    var verdicts: [String: [String: String]] = [:]
    for record in records {
      guard let json = try? JSONReader.read(Array(record.document.utf8)),
        case .object(let result) = json, result["simulated"] != .bool(true),
        case .string(let name)? = result["profile"], case .string(let verdict)? = result["verdict"]
      else { continue }
      var way = ""
      if case .string(let direction)? = result["direction"] { way = direction }
      if verdicts[name]?[way] == nil { verdicts[name, default: [:]][way] = verdict }
    }
    let differences: [FairnessVerdict] = [.throttled, .prioritised, .blocked]
    let last = verdicts[profile] ?? verdicts[BuiltInProfile.upload.rawValue] ?? [:]
    return last.values.contains { verdict in differences.contains { $0.word == verdict } }
  }
}
