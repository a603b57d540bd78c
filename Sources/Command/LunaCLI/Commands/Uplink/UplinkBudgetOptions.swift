import CommandSpec
import LunaUplink

/// How much data a check may use.
struct UplinkBudgetOptions: Sendable {
  /// Whether the link is one on which data is counted.
  enum Metering: String, CaseIterable, Sendable {
    case auto, yes, no
  }

  /// No size is larger: sums of them do not overflow.
  private static let limit: Int64 = 1_000_000_000_000

  var run = UplinkBudget().run
  var meteredRun = UplinkBudget().meteredRun
  var month = UplinkBudget().month
  var meteredMonth = UplinkBudget().meteredMonth
  var metering = Metering.auto

  static var group: OptionGroup<UplinkBudgetOptions> {
    OptionGroup(
      "Data",
      [
        .value(
          "budget", "SIZE",
          "What a run may use for all that it checks, both ways; as much again to confirm", \.run,
          size
        ).defaulting(to: "100M"),
        .value("budget-metered", "SIZE", "The same on a metered link", \.meteredRun, size)
          .defaulting(to: "20M"),
        .value("monthly", "SIZE", "What all checks of a month (UTC) may use", \.month, size)
          .defaulting(to: "1G"),
        .value("monthly-metered", "SIZE", "Those on metered links", \.meteredMonth, size)
          .defaulting(to: "60M"),
        .value(
          "metered", "WHETHER",
          "Whether the link is metered: auto is so on wwan and ppp, and where NetworkManager says so",
          \.metering, .choice
        ).defaulting(to: "auto"),
      ])
  }

  /// Bytes: `500k`, `100M`, `100 MB`, `1G`.
  static var size: ValueReader<Int64> {
    ValueReader(expects: "a size such as 500k, 100M, 100 MB or 1G") {
      text throws(ValueProblem) in
      let units: [(name: String, bytes: Int64)] = [
        ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("k", 1_000), ("M", 1_000_000),
        ("G", 1_000_000_000), ("", 1),
      ]
      for unit in units where text.hasSuffix(unit.name) {
        let digits = text.dropLast(unit.name.count).filter { $0 != " " }
        guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
          let count = Int64(digits), count * unit.bytes <= limit
        else { break }
        return count * unit.bytes
      }
      throw ValueProblem("is no size")
    }
  }

  /// What checks may use.
  var limits: UplinkBudget {
    var limits = UplinkBudget()
    limits.run = run
    limits.meteredRun = meteredRun
    limits.month = month
    limits.meteredMonth = meteredMonth
    return limits
  }

  /// Whether a link of a kind is metered.
  ///
  /// - Parameter isCounted: whether NetworkManager says so.
  func isMetered(_ link: String?, isCounted: Bool) -> Bool {
    switch metering {
    case .auto: link == "mobile" || isCounted
    case .yes: true
    case .no: false
    }
  }
}
