import Glibc
public import LunaJSON

/// The statistics as functions of JSON, for test vectors and for checks by other programs. An input that a
/// statistic refuses has `{"reject": kind}`.
public enum UplinkVectors {
  /// A function: its answer, or the name of the member that it lacks or cannot read.
  public typealias Function = @Sendable (JSONObject) throws(FormatError) -> JSONValue

  /// The functions by the names of their groups.
  public static let functions: [String: Function] = [
    "uplinkKS": { (input) throws(FormatError) in
      let (a, b) = (try numbers(input, "a"), try numbers(input, "b"))
      return answer { () throws(StatisticsError) in
        let test = try KolmogorovSmirnov(a, b)
        return ["d": .real(test.distance), "p": .real(test.p)]
      }
    },
    "uplinkMannWhitney": { (input) throws(FormatError) in
      let (a, b) = (try numbers(input, "a"), try numbers(input, "b"))
      let alternative = try alternative(input)
      return answer { () throws(StatisticsError) in
        let test = try MannWhitney(a, b, alternative)
        return ["statistic": .real(test.statistic), "p": .real(test.p)]
      }
    },
    "uplinkSpearman": { (input) throws(FormatError) in
      let (a, b) = (try numbers(input, "a"), try numbers(input, "b"))
      let alternative = try alternative(input)
      return answer { () throws(StatisticsError) in
        let test = try Spearman(a, b, alternative)
        return ["statistic": .real(test.statistic), "p": .real(test.p)]
      }
    },
    "uplinkSignFlips": { (input) throws(FormatError) in
      let differences = try numbers(input, "d")
      let gamma = try number(input["gamma"] ?? .real(0.05), "gamma")
      return answer { () throws(StatisticsError) in
        let test = try SignFlips(differences)
        let (low, high) = try test.interval(gamma)
        var object: JSONObject = ["p": .real(test.p), "ratio": .real(test.ratio)]
        if let low { object.append("low", .real(exp(low))) }
        if let high { object.append("high", .real(exp(high))) }
        return .object(object)
      }
    },
  ]

  private static func answer(
    _ body: () throws(StatisticsError) -> JSONValue
  ) -> JSONValue {
    do throws(StatisticsError) {
      return try body()
    } catch {
      return ["reject": .string(error.kind.rawValue)]
    }
  }

  private static func numbers(
    _ input: JSONObject, _ name: String
  ) throws(FormatError) -> [Double] {
    guard case .array(let elements)? = input[name] else { throw FormatError(name, "is no list") }
    var numbers: [Double] = []
    for element in elements { numbers.append(try number(element, name)) }
    return numbers
  }

  /// A number, or the text of one that JSON cannot write.
  private static func number(_ value: JSONValue, _ name: String) throws(FormatError) -> Double {
    switch value {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .string("NaN"): .nan
    case .string("Infinity"): .infinity
    case .string("-Infinity"): -.infinity
    default: throw FormatError(name, "is not a number")
    }
  }

  private static func alternative(_ input: JSONObject) throws(FormatError) -> Alternative {
    guard let value = input["alternative"] else { return .twoSided }
    guard case .string(let word) = value, let alternative = Alternative(rawValue: word) else {
      throw FormatError("alternative", "is not less, greater or two-sided")
    }
    return alternative
  }
}
