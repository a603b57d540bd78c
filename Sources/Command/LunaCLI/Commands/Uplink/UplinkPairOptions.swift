import CommandSpec
import UplinkProtocol

/// How pairs of slots are made.
struct UplinkPairOptions: Sendable {
  /// Which way the data goes.
  enum Direction: String, CaseIterable, Sendable {
    case up, down, both

    /// One after the other.
    var all: [SlotDirection] {
      switch self {
      case .up: [.up]
      case .down: [.down]
      case .both: [.up, .down]
      }
    }
  }

  var isScheduled = false
  var profiles: [String] = []
  var count: Int?
  var direction = Direction.up
  var controlName = "example.com"
  var simulation: UplinkSimulation?
  var slowdown: Double?
  var power: Double?

  static var group: OptionGroup<UplinkPairOptions> {
    OptionGroup(
      "Pairs",
      [
        .value(
          "profiles", "LIST", "What is checked where nothing is named, separated by commas",
          \.profiles, .list(of: .text)
        ).defaulting(to: "luna-upload"),
        .value(
          "direction", "WAY", "Check uploads, downloads or both: up, down, both", \.direction,
          .choice
        )
        .defaulting(to: "up"),
        controlOption(\.controlName),
        .value(
          "pairs", "N", "Make so many pairs at most: 10 to 64", \.count,
          .integer(PairedCheck.pairs)
        ).defaulting(to: "16, or as many as a slowdown needs"),
        .flag(
          "scheduled", "Wait until no reports wait, and do nothing where nobody has agreed",
          \.isScheduled),
        .value(
          "simulate", "WHAT", "Check a link that is made up, such as fair, throttled or random",
          \.simulation, UplinkSimulation.reader),
        .value(
          "slowdown", "FACTOR", "Take as many pairs as find this slowdown", \.slowdown,
          .number(1.01...16)),
        .value(
          "power", "SHARE", "How likely it is to be found", \.power, .number(0.5...0.999)
        ).defaulting(to: "0.95"),
      ])
  }

  /// What control slots ask for.
  static func controlOption<Options: Sendable>(_ place: Field<Options, String>) -> Option<Options> {
    .value(
      "control-name", "NAME", "The name of a server that control slots ask for", place, name
    ).defaulting(to: "example.com")
  }

  /// A name that a server can be asked for.
  private static var name: ValueReader<String> {
    ValueReader<String>.text.map(expects: "a name such as example.com") {
      text throws(ValueProblem) in
      let isName = text.utf8.allSatisfy {
        $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
      }
      guard isName, (1...253).contains(text.utf8.count) else { throw ValueProblem("is no name") }
      return text
    }
  }

  /// What does not go together; nil where all does.
  var problem: ValueProblem? {
    if count != nil, slowdown != nil {
      return ValueProblem(
        "--slowdown says how many pairs there are", remedy: "leave out --pairs")
    }
    if isScheduled, simulation != nil {
      return ValueProblem(
        "--scheduled is for checks of a network, and --simulate makes none",
        remedy: "leave out one of them")
    }
    guard power != nil, slowdown == nil else { return nil }
    return ValueProblem(
      "--power is that of a slowdown to be found", remedy: "give --slowdown FACTOR")
  }

  /// Those that say something, and that recordings do not have.
  var ofSlots: [String] {
    let given = [
      ("--direction", direction != .up), ("--pairs", count != nil), ("--slowdown", slowdown != nil),
    ]
    return given.filter { $0.1 }.map { $0.0 }
  }

  /// What the pairs are to find; nil for what they find.
  var aim: PairedCheck.Aim? { slowdown.map { .init(slowdown: $0, power: power ?? 0.95) } }
}
