import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let followingFunctions: [String: Function] = [
    "drift": { (_, input) throws(VectorError) in
      let drift = Drift(
        period: try input.integer("counter"), receivedAt: try input.integer("receivedAtMs"))
      return [
        "expectedAtMs": .number(drift.expectedAt), "driftMs": .number(drift.milliseconds),
      ]
    },
    "candidates": { (_, input) throws(VectorError) in
      let interval = try interval(of: input)
      let time: Int64 = try input.integer("tMs")
      let ppm: Int64 = try input.integer("ppm")
      let aged = interval.aged(to: time, ppm: ppm)
      let periods = interval.candidates(at: time, ppm: ppm)
      return [
        "agedLoMs": .number(aged.low), "agedHiMs": .number(aged.high),
        "first": .number(periods.first), "last": .number(periods.last),
      ]
    },
    "search": { (_, input) throws(VectorError) in
      let search = WideSearch(
        at: try input.integer("tMs"), onboardingTimestamp: try input.integer("onboarding"))
      return [
        "tier2First": .number(search.tier2.first), "tier2Last": .number(search.tier2.last),
        "tier3First": .number(search.tier3.first), "tier3Last": .number(search.tier3.last),
      ]
    },
    "queryRange": { (_, input) throws(VectorError) in
      let (start, end): (Int64, Int64) = (
        try input.integer("fromMs"), try input.integer("toMs")
      )
      let ppm: Int64 = try input.integer("ppm")
      let onboarding: UInt32 = try input.integer("onboarding")
      let clock = try interval(of: input)
      do throws(QueryRangeRejection) {
        let periods = try QueryRange.periods(
          from: start, to: end, clock: clock, ppm: ppm, onboardingTimestamp: onboarding)
        return [
          "first": periods.isEmpty ? .null : .number(periods.first),
          "last": periods.isEmpty ? .null : .number(periods.last),
          "count": .number(periods.count),
        ]
      } catch {
        return .reject(error.rawValue)
      }
    },
    "driftTrace": { (_, input) throws(VectorError) in
      var estimator = ClockEstimator(
        onboardingTimestamp: try input.integer("onboarding"), ppm: try input.integer("ppm"))
      var steps: [JSONValue] = []
      for element in try input.array("steps") {
        guard case .object(let object) = element else { throw .member("steps") }
        steps.append(try step(VectorInput(object), &estimator))
      }
      return ["steps": .array(steps)]
    },
  ]

  private static func interval(of input: VectorInput) throws(VectorError) -> ClockInterval {
    ClockInterval(
      low: try input.integer("loMs"), high: try input.integer("hiMs"),
      time: try input.integer("t0Ms"))
  }

  private static func step(
    _ input: VectorInput, _ estimator: inout ClockEstimator
  ) throws(VectorError) -> JSONValue {
    var output = JSONObject()
    switch try input.string("kind") {
    case "frame":
      let time: Int64 = try input.integer("tMs")
      let period: UInt32 = try input.integer("counter")
      let candidates = estimator.candidates(at: time)
      output.append("candidates", .array([.number(candidates.first), .number(candidates.last)]))
      output.append("driftMs", .number(Drift(period: period, receivedAt: time).milliseconds))
      let outcome = estimator.observe(
        period: period, at: time, isStatusVerified: try input.bool("esfOk"))
      output.append("outcome", .string(outcome.rawValue))
    case "clockSet":
      estimator.replace(
        with: ClockInterval(
          clockSet: try input.integer("unix"), sent: try input.integer("sentMs"),
          answered: try input.integer("answeredMs")))
      output.append("outcome", .string("set"))
    case "clockRead":
      estimator.replace(
        with: ClockInterval(
          clockRead: try input.integer("trackerTime"), sent: try input.integer("sentMs"),
          answered: try input.integer("answeredMs")))
      output.append("outcome", .string("read"))
    default: throw .member("kind")
    }
    output.append("state", .array(numbers(estimator.interval)))
    if let track = estimator.provisional {
      output.append(
        "provisional",
        .array(
          numbers(track.interval) + [.number(track.lastPeriod), .number(track.distinctPeriods)]))
    } else {
      output.append("provisional", .null)
    }
    return .object(output)
  }

  private static func numbers(_ interval: ClockInterval) -> [JSONValue] {
    [.number(interval.low), .number(interval.high), .number(interval.time)]
  }
}
