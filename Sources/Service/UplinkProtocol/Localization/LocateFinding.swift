import LunaJSON

/// What the blocks of a localization came to.
package struct LocateFinding: Sendable {
  /// Where the difference is made.
  package let location: Location
  /// What the speeds say; nil where no block could be compared.
  package let limit: LimitEstimate?
  /// What the losses say; nil where there were too few.
  package let trend: LossTrend?
  /// How many blocks count.
  package let blocks: Int
  /// How many bytes of data went.
  package let bytes: Int
  /// How long the flows took, s.
  package let seconds: Double

  /// Puts together what was found. Two limits are not one, whatever is lost at the same time; and where the whole link
  /// limits originals and controls alike, losses that come together are its own.
  package init(limit: LimitEstimate?, trend: LossTrend?, blocks: Int, bytes: Int, seconds: Double) {
    self.limit = limit
    self.trend = trend
    self.blocks = blocks
    self.bytes = bytes
    self.seconds = seconds
    if let found = limit?.location {
      location = found
    } else if !(limit?.isUsable ?? (trend != nil)) {
      location = .inconclusive
    } else {
      location = trend?.isCommon == true ? .common : .noEvidence
    }
  }

  /// It, as a member of a result.
  var json: JSONValue {
    var members: JSONObject = ["blocks": .integer(Int64(blocks))]
    if let limit {
      members.append("ratio", .real(limit.ratio))
      if let low = limit.low { members.append("low", .real(low)) }
      if let high = limit.high { members.append("high", .real(high)) }
      members.append("twice", .real(limit.twice))
    }
    if let trend {
      members.append("lossP", .real(trend.p))
      members.append("loss", .real(trend.loss))
    }
    return .object(members)
  }
}
