import CommandSpec
import LunaUplink
import UplinkProtocol

extension HostLimits {
  /// What an operator can change of them. Each session has a thread, of which there are not many more.
  static var group: OptionGroup<HostLimits> {
    OptionGroup(
      "Limits",
      [
        .value(
          "sessions", "N", "Let at most N checks run at once, one for an address or a token",
          \.running, .integer(1...64)
        ).defaulting(to: "64"),
        .value("waiting", "N", "Let at most N more wait for them", \.waiting, .integer(0...64))
          .defaulting(to: "16"),
        .value("session-data", "SIZE", "What a check may use, both ways", \.sessionBytes, size)
          .defaulting(to: "200M"),
        .value(
          "daily-data", "SIZE", "What all checks of a token may use in a day", \.dailyBytes, size
        ).defaulting(to: "2G"),
        .value(
          "rate", "MBIT", "How many Mbit/s all checks may have together", \.bytesPerSecond, rate
        ).defaulting(to: "500"),
      ])
  }

  private static var size: ValueReader<Int> { UplinkBudgetOptions.size.map { Int($0) } }

  private static var rate: ValueReader<Double> {
    ValueReader<Double>.number(10...100_000).map { $0 * 125_000 }
  }

  /// What does not go together; nil where all does.
  var problem: ValueProblem? {
    guard sessionBytes >= PairClient.leastBudget else {
      return ValueProblem(
        "--session-data is too little for a check", remedy: "give 3M or more")
    }
    guard dailyBytes >= sessionBytes else {
      return ValueProblem(
        "--daily-data is less than --session-data", remedy: "give at least as much")
    }
    return nil
  }
}
