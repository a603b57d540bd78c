package import LunaJSON

/// The result of a check by pairs of slots, as it is kept and shown (UPLINK.md, 11).
package struct CheckReport: Sendable {
  private let profile: BuiltInProfile
  private let direction: String
  private let server: String
  private let isSimulated: Bool
  private var findings: [CheckFinding] = []
  /// Whether the check that was to confirm the first one came to nothing.
  package var isUnconfirmed = false

  /// A result without any finding yet.
  ///
  /// - Parameter server: as the user names it.
  package init(
    _ profile: BuiltInProfile, direction: String, server: String, isSimulated: Bool = false
  ) {
    self.profile = profile
    self.direction = direction
    self.server = server
    self.isSimulated = isSimulated
  }

  /// Adds a finding; the second one repeats a first one that found a difference.
  package mutating func add(_ finding: CheckFinding) { findings.append(finding) }

  /// Whether a second check has to agree before anything is told.
  package var needsConfirmation: Bool {
    findings.count == 1 && findings[0].verdict.needsConfirmation
  }

  /// What is told; nil before the first finding.
  package var verdict: FairnessVerdict? {
    guard let first = findings.first, let last = findings.last else { return nil }
    if findings.count > 1 { return first.verdict.confirmed(by: last.verdict) }
    return isUnconfirmed && needsConfirmation ? .inconclusive(.notConfirmed) : first.verdict
  }

  /// How fast the usual slot of each kind was over its time; nil where that is not known.
  package var samples: JSONValue? {
    var sides = JSONObject()
    for kind in SlotKind.allCases {
      let slots = findings.last?.slots.filter { $0.kind == kind } ?? []
      let curves = slots.compactMap { slot -> (rate: Double, curve: ReplaySamples)? in
        guard case .measured(let rate) = slot.outcome else { return nil }
        return slot.curve.map { (rate: rate, curve: $0) }
      }.sorted { $0.rate < $1.rate }
      guard !curves.isEmpty else { return nil }
      sides.append(kind.rawValue, curves[curves.count / 2].curve.json)
    }
    return .object(sides)
  }

  /// The result.
  ///
  /// - Parameters:
  ///   - time: when it came, as in RFC 3339.
  ///   - isCancelled: whether somebody ended the check before there was a verdict.
  package func json(id: String, time: String, isCancelled: Bool = false) -> JSONObject {
    var result: JSONObject = [
      "type": "uplink", "id": .string(id), "time": .string(time),
      "profile": .string(profile.rawValue), "direction": .string(direction),
      "server": .string(server),
    ]
    if isCancelled {
      result.append("reason", "cancelled")
    } else if let verdict {
      result.append("verdict", .string(verdict.word))
      if case .inconclusive(let reason) = verdict {
        result.append("reason", .string(reason.rawValue))
      }
    }
    if findings.contains(where: \.isDisputed) {
      result.append("serverProblem", "serverDisagrees")
    }
    if let finding = findings.last { result.members += members(of: finding).members }
    result.append("simulated", .bool(isSimulated))
    return result
  }

  private func members(of finding: CheckFinding) -> JSONObject {
    var members = JSONObject()
    if let estimate = finding.estimate {
      members.append("ratio", .real(estimate.ratio))
      if let low = estimate.low { members.append("low", .real(low)) }
      if let high = estimate.high { members.append("high", .real(high)) }
      members.append("p", .real(estimate.p))
    }
    members.append("pairs", .integer(Int64(finding.slots.count / 2)))
    if let power = finding.power {
      if let least = power.detectable { members.append("detectable", .real(least)) }
      var shares = JSONObject()
      for (factor, share) in zip(DetectionPower.factors, power.shares) {
        let name = factor == factor.rounded() ? "\(Int(factor))" : "\(factor)"
        shares.append(name, .real(share))
      }
      members.append("power", .object(shares))
    }
    if let rate = finding.rateSeen { members.append("rateSeen", .real(rate * 8 / 1e6)) }
    members.append("bytes", .integer(Int64(findings.reduce(0) { $0 + $1.bytes })))
    members.append("seconds", .real(findings.reduce(0) { $0 + $1.seconds }))
    let measure = profile.slotMeasure
    members.append(
      "slots",
      .array(
        finding.slots.enumerated().map { index, slot in
          slot.json(index + 1, pair: index / 2 + 1, measure)
        }))
    return members
  }
}

extension BuiltInProfile {
  /// What is measured of its slots.
  package var slotMeasure: SlotMeasure { self == .command ? .roundTrip : .rate }
}
