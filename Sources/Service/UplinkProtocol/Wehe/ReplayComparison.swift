package import LunaJSON

/// What the two replays of a test say, by the rule of one of Wehe's programs (UPLINK.md, 8.1).
package struct ReplayComparison: Sendable {
  /// The replay that a network may recognise.
  package let original: ReplaySide
  /// The one that it does not.
  package let control: ReplaySide
  /// What the rule says; nil where only one of them could be made.
  package let judgement: OriginalJudgement?
  /// What follows.
  package let verdict: FairnessVerdict

  /// Compares two replays.
  ///
  /// - Throws: why there is nothing to compare. A port that one of the two alone never reaches is a difference.
  package init(
    _ original: ReplaySide?, _ control: ReplaySide?, rule: OriginalRule,
    settings: OriginalSettings = .standard
  ) throws(ReplayError) {
    let errors = [original, control].compactMap { $0?.error }
    if let error = errors.first(where: { $0.kind != .blocked }) { throw error }
    guard let original, let control, errors.count < 2 else {
      throw errors.first ?? ReplayError(.cancelled)
    }
    self.original = original
    self.control = control
    guard errors.isEmpty else {
      judgement = nil
      verdict = original.error == nil ? .prioritised : .blocked
      return
    }
    // Our own samples are finite, and no more than a server asks for.
    let judged = try? OriginalJudgement(
      original: original.held, control: control.held, rule: rule, settings: settings)
    judgement = judged
    switch judged?.verdict {
    case .fair?: verdict = .fair
    case .throttled?: verdict = .throttled
    case .prioritised?: verdict = .prioritised
    case .inconclusive?, nil:
      verdict = .inconclusive(judged?.test == nil ? .tooFast : .noisy)
    }
  }

  /// The speed of the original by that of the control; nil where there is none.
  package var ratio: Double? {
    let means = (Samples.mean(original.held), Samples.mean(control.held))
    return means.0 > 0 && means.1 > 0 ? means.0 / means.1 : nil
  }

  /// What a server's own result adds: what it found, and a word where that is not what we found, or nothing.
  package func members(of outcome: AnalysisOutcome) -> JSONObject {
    switch outcome {
    case .failed(let error): return ["serverProblem": .string(error.kind.rawValue)]
    case .result(let result):
      var members: JSONObject = [
        "serverResult": [
          "date": .string(result.date), "area": .real(result.area), "ks2d": .real(result.distance),
          "ks2p": .real(result.p), "ks2Ratio": .real(result.ratio),
        ]
      ]
      if let judgement,
        !result.agrees(with: judgement, original: original.held, control: control.held)
      {
        members.append("serverProblem", "serverDisagrees")
      }
      return members
    }
  }

  /// Its samples, in a file that can be judged and imported; nil where a replay has none.
  package var samples: JSONValue? {
    guard let samples = original.samples, let other = control.samples else { return nil }
    return ["original": samples.json, "control": other.json]
  }
}
