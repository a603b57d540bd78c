import CommandSpec
import UplinkProtocol

/// How pairs of slots are made.
struct UplinkPairOptions: Sendable {
  var simulation: UplinkSimulation?
  var slowdown: Double?
  var power: Double?

  static var group: OptionGroup<UplinkPairOptions> {
    OptionGroup(
      "Pairs",
      [
        .value(
          "simulate", "WHAT", "Check a link that is made up: fair, throttled, random, ...",
          \.simulation, UplinkSimulation.reader),
        .value(
          "slowdown", "FACTOR", "Take as many pairs as find this slowdown", \.slowdown,
          .number(1.01...16)),
        .value(
          "power", "SHARE", "How likely it is to be found", \.power, .number(0.5...0.999)
        ).defaulting(to: "0.95"),
      ])
  }

  /// What does not go together; nil where all does.
  var problem: ValueProblem? {
    guard power != nil, slowdown == nil else { return nil }
    return ValueProblem(
      "--power is that of a slowdown to be found", remedy: "give --slowdown FACTOR")
  }

  /// What the pairs are to find; nil for what they find.
  var aim: PairedCheck.Aim? { slowdown.map { .init(slowdown: $0, power: power ?? 0.95) } }
}
