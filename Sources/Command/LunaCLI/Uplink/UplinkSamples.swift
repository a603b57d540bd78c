import Diagnosis
import UplinkProtocol

/// The samples of Wehe's clients as the commands judge them.
enum UplinkSamples {
  /// What a rule says of what a server holds of two replays.
  static func judge(
    _ original: ReplaySamples, _ control: ReplaySamples, _ rule: OriginalRule
  ) throws(CommandFailure) -> OriginalJudgement {
    do throws(StatisticsError) {
      return try OriginalJudgement(original: original.held, control: control.held, rule: rule)
    } catch {
      throw CommandFailure(
        .unreadableInput, error.reason, hint: "check the samples that the two files hold")
    }
  }
}
