import LunaJSON
import UplinkProtocol

/// Samples of Wehe's clients, judged by every rule, and whatever a document holds as an input of the
/// statistics.
enum ReplayJudgement {
  static func run(_ bytes: [UInt8]) {
    if let file = try? ReplayFile(bytes) {
      for rule in OriginalRule.allCases {
        judge(file.original, file.control ?? file.original, rule)
      }
    }
    guard case .object(let input)? = try? JSONReader.read(bytes) else { return }
    for (_, function) in UplinkVectors.functions { check(try? function(input)) }
  }

  private static func judge(
    _ original: ReplaySamples, _ control: ReplaySamples, _ rule: OriginalRule
  ) {
    guard
      let judgement = try? OriginalJudgement(
        original: original.held, control: control.held, rule: rule)
    else { preconditionFailure("samples that were read are refused") }
    precondition(judgement.area.map { abs($0) <= 1 } ?? true, "an area above 1")
    for share in [judgement.test?.distance, judgement.test?.p, judgement.ratio] {
      precondition(share.map { (0...1).contains($0) } ?? true, "a share that is none")
    }
  }

  private static func check(_ answer: JSONValue?) {
    guard case .object(let object)? = answer else { return }
    if case .real(let p)? = object["p"] {
      precondition((0...1).contains(p), "a probability that is none")
    }
  }
}
