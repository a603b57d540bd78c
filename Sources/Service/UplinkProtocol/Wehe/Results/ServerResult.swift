import LunaJSON

/// What a server makes of a test (UPLINK.md, 5.5). All numbers come as text.
public struct ServerResult: Hashable, Sendable {
  /// How far its numbers may be from ours, as a share of the larger one, and as such (UPLINK.md, 8.4).
  private static let tolerance = (relative: 1e-9, absolute: 1e-12)

  /// What was replayed.
  public let name: ReplayName
  /// When, `YYYY-MM-DD HH:MM:SS` in UTC.
  public let date: String
  /// The control's mean less the original's, by the larger one.
  public let area: Double
  /// Which share of halves of the samples says the same as all of them.
  public let ratio: Double
  /// The mean of the original, Mbit/s.
  public let originalMean: Double
  /// The mean of the control, Mbit/s.
  public let controlMean: Double
  /// The distance of Kolmogorov and Smirnov's test.
  public let distance: Double
  /// Its probability.
  public let p: Double

  /// Reads what a server answers under `response`.
  ///
  /// - Parameters:
  ///   - user: whose result it has to be.
  ///   - history: of which test.
  init(_ json: JSONValue, user: String, history: Int) throws(FormatError) {
    let fields = try RecordingFields(json, "the result")
    guard try fields.text("userID") == user else {
      throw fields.problem("userID", "is another one")
    }
    _ = try fields.integer("historyCount", in: history...history)
    guard let name = ReplayName(try fields.text("replayName")) else {
      throw fields.problem("replayName", "is not \(ReplayName.form)")
    }
    self.name = name
    date = try fields.text("date")
    guard ServerResult.isDate(date) else {
      throw fields.problem("date", "is not YYYY-MM-DD HH:MM:SS")
    }
    area = try fields.number("area_test", in: -1...1)
    ratio = try fields.number("ks2_ratio_test", in: 0...1)
    originalMean = try fields.number("xput_avg_original", in: 0...1e9)
    controlMean = try fields.number("xput_avg_test", in: 0...1e9)
    distance = try fields.number("ks2dVal", in: 0...1)
    p = try fields.number("ks2pVal", in: 0...1)
  }

  private static func isDate(_ text: String) -> Bool {
    let form = "0000-00-00 00:00:00"
    return text.utf8.count == form.utf8.count
      && zip(text.utf8, form.utf8).allSatisfy { byte, sign in
        sign == UInt8(ascii: "0")
          ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == sign
      }
  }

  /// Whether the server judges as we do: the same numbers but for the halves, which are drawn. What we have none
  /// of is not compared.
  ///
  /// - Parameters:
  ///   - original: its samples as the server holds them, Mbit/s.
  ///   - control: those of the control.
  public func agrees(
    with judgement: OriginalJudgement, original: [Double], control: [Double]
  ) -> Bool {
    let pairs: [(Double, Double?)] = [
      (area, judgement.area), (distance, judgement.test?.distance), (p, judgement.test?.p),
      (originalMean, Samples.mean(original)), (controlMean, Samples.mean(control)),
    ]
    return pairs.allSatisfy { theirs, ours in
      guard let ours else { return true }
      let slack = max(
        ServerResult.tolerance.absolute,
        ServerResult.tolerance.relative * max(abs(theirs), abs(ours)))
      return abs(theirs - ours) <= slack
    }
  }
}
