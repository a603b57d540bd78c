package import LunaJSON

/// The result of an inspection, as it is kept and shown (UPLINK.md, 10, 11).
package struct InspectionReport: Sendable {
  private let profile: String
  private let server: String
  private let isSimulated: Bool
  private let inspection: Inspection
  private let spans: [ByteSpan]
  /// How many bytes went on the link, and how long the slots took, s.
  package var bytes: Int64 = 0
  package var seconds = 0.0

  /// A result.
  ///
  /// - Parameters:
  ///   - profile: what was inspected.
  ///   - server: as the user names it.
  ///   - bytes: those that could be changed; nil where there were none.
  package init(
    _ inspection: Inspection, of profile: String, _ bytes: InspectedBytes?, server: String,
    isSimulated: Bool = false
  ) {
    self.profile = profile
    self.server = server
    self.isSimulated = isSimulated
    self.inspection = inspection
    spans = bytes?.spans(of: inspection.finding) ?? []
  }

  /// The result.
  ///
  /// - Parameters:
  ///   - time: when it came, as in RFC 3339.
  ///   - isCancelled: whether somebody ended it before everything was known.
  package func json(id: String, time: String, isCancelled: Bool = false) -> JSONObject {
    var result: JSONObject = [
      "type": "uplink", "id": .string(id), "time": .string(time), "profile": .string(profile),
      "server": .string(server),
    ]
    if isCancelled {
      result.append("reason", "cancelled")
    } else if let reason = inspection.reason {
      result.append("reason", .string(reason.rawValue))
    }
    let finding = inspection.finding
    if finding.isAnything || (!isCancelled && inspection.reason == nil) {
      result.append("matched", .string(word))
    }
    let fields = InspectedField.allCases.compactMap { field -> JSONValue? in
      guard let isMatched = finding.fields[field] else { return nil }
      return ["field": .string(field.rawValue), "matched": .bool(isMatched)]
    }
    if !fields.isEmpty { result.append("fields", .array(fields)) }
    result.append("spans", .array(spans.map(\.json)))
    result.append("probes", .integer(Int64(inspection.probes)))
    result.append("certainty", .real(inspection.certainty))
    result.append("bytes", .integer(bytes))
    result.append("seconds", .real(seconds))
    result.append("simulated", .bool(isSimulated))
    return result
  }

  /// What is recognised, in a word.
  private var word: String {
    if !spans.isEmpty { return "bytes" }
    return inspection.finding.isAnything ? "fields" : "nothing"
  }
}
