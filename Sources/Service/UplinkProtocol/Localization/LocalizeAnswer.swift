package import LunaJSON

/// What a server of Wehe's says of a place, and what the original makes of that (UPLINK.md, 9).
package struct LocalizeAnswer: Hashable, Sendable {
  private static let probability = 0.0...1.0

  /// Where the difference is made.
  package let location: Location
  /// How likely it is that both together are no more alike to one alone than replays usually are; nil where that was
  /// not compared.
  package let variationP: Double?
  /// How likely losses go along with each other by chance, for each length of intervals.
  package let lossPs: [Double]

  /// That not both servers find a difference.
  static let alike = LocalizeAnswer(.noEvidence)

  private init(_ location: Location) {
    self.location = location
    variationP = nil
    lossPs = []
  }

  /// Reads what a server says under `response`. What cannot be used of it is not there.
  init(_ json: JSONValue, _ levels: LocalizeLevels) {
    let members = LocalizeAnswer.object(json)
    variationP = LocalizeAnswer.object(members?["pairsum_vs_single_xput"])?["mwuPVal"]
      .flatMap(LocalizeAnswer.p)
    let losses = LocalizeAnswer.object(members?["loss_correlation"])
    if case .array(let values)? = losses?["corrPValues"] {
      lossPs = values.compactMap(LocalizeAnswer.p)
    } else {
      lossPs = []
    }
    let isOne = variationP.map { $0 < levels.variation } == true
    let along = lossPs.count { $0 < levels.loss }
    let isAlong =
      !lossPs.isEmpty && Double(along) >= levels.share * Double(lossPs.count)
    if isOne || isAlong {
      location = .common
    } else {
      location = variationP == nil && lossPs.isEmpty ? .inconclusive : .noEvidence
    }
  }

  /// It, as a member of a result.
  package var json: JSONValue {
    var members = JSONObject()
    if let variationP { members.append("mwuP", .real(variationP)) }
    if !lossPs.isEmpty { members.append("corrP", .array(lossPs.map { .real($0) })) }
    return .object(members)
  }

  private static func object(_ json: JSONValue?) -> JSONObject? {
    guard case .object(let object)? = json else { return nil }
    return object
  }

  private static func p(_ json: JSONValue) -> Double? {
    RecordingFields.number(json).flatMap { probability.contains($0) ? $0 : nil }
  }
}
