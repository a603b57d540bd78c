package import LunaJSON

/// The limits of our rules, by name, as they are kept beside a result (UPLINK.md, 11).
package enum FairnessThresholds {
  /// Those of a check: of its looks, and of the last one.
  package static func check(aim: PairedCheck.Aim? = nil, pairs: Int? = nil) -> JSONObject {
    let looks = [LookPlan.standard.looks.first, LookPlan.standard.looks.last].compactMap(\.self)
    var limits: JSONObject = [
      "ratio": .real(FairnessEstimate.smallest), "alpha": .array(looks.map { .real($0.alpha) }),
      "gamma": .array(looks.map { .real($0.gamma) }),
    ]
    if let pairs { limits.append("pairs", .integer(Int64(pairs))) }
    if let aim {
      limits.append("slowdown", .real(aim.slowdown))
      limits.append("power", .real(aim.power))
    }
    return limits
  }

  /// Those of a localization, and of the checks before it.
  package static var place: JSONObject {
    var limits = check()
    limits.append("separate", .real(LimitEstimate.separate))
    limits.append("placeGamma", .real(LimitEstimate.gamma))
    limits.append("lossP", .real(LossTrend.level))
    return limits
  }

  /// Those of an inspection.
  package static var inspection: JSONObject {
    [
      "p": .real(ProbeTest.error), "slots": .integer(Int64(ProbeTest.slots)),
      "deviations": .real(TreatmentLevels.least),
    ]
  }
}
