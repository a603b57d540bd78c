import CommandSpec
import LunaUplink
import UplinkProtocol

/// How recordings are replayed and judged.
struct UplinkReplayOptions: Sendable {
  /// How the samples that a server is sent are cut.
  enum Buckets: String, CaseIterable, Sendable {
    case real, nominal
  }

  var confirms = true
  var rule = OriginalRule.ios
  var usesDefaults: Bool?
  var history: Int64 = 0
  var area = OriginalSettings.standard.area * 100
  var p = OriginalSettings.standard.p * 100
  var ratio = OriginalSettings.standard.ratio
  var user: String?
  var extra = "Luna"
  var isTimed = true
  var sendsFacts = false
  var buckets = Buckets.real

  static var group: OptionGroup<UplinkReplayOptions> {
    let confirm: Option<UplinkReplayOptions> = .negatableFlag(
      "confirm", "Make a test that finds a difference once more", \.confirms)
    return OptionGroup("Options", [confirm] + options)
  }

  /// Those of a command that makes no test again.
  static var onceGroup: OptionGroup<UplinkReplayOptions> { OptionGroup("Options", options) }

  /// Those of a command that judges nothing.
  static var toldGroup: OptionGroup<UplinkReplayOptions> { OptionGroup("Recordings", told) }

  private static var options: [Option<UplinkReplayOptions>] {
    let judging: [Option<UplinkReplayOptions>] = [
      .value("rule", "RULE", "Judge by the rule of ios, java or server", \.rule, .choice)
        .defaulting(to: "ios"),
      defaults,
      .value(
        "area", "PERCENT", "From which difference of the means on they differ", \.area,
        .number(0...100)
      ).defaulting(to: "50, and 30 on fast links"),
      .value("p-value", "PERCENT", "Below which probability they differ", \.p, .number(0...100))
        .defaulting(to: "1"),
      .value(
        "ratio", "SHARE", "How many halves of the samples have to agree", \.ratio, .number(0...1)
      ).defaulting(to: "0.95"),
    ]
    let sending: [Option<UplinkReplayOptions>] = [
      .negatableFlag("packet-timing", "Send packets no earlier than recorded", \.isTimed),
      .flag("send-facts", "Tell the server the kind of link; never a place", \.sendsFacts),
      .value(
        "buckets", "KIND", "Cut samples by the time that passed, or nominal, as Wehe does",
        \.buckets, .choice
      ).defaulting(to: "real"),
    ]
    return judging + told + sending
  }

  /// What a server is told of who replays.
  private static var told: [Option<UplinkReplayOptions>] {
    [
      .value(
        "user-id", "ID", "Who makes the check, for the server", \.user, word
      ).defaulting(to: "ten letters, made up once"),
      .value(
        "history-count", "N", "Count tests on from N, for the server; it is never counted back",
        \.history, .integer(0...1_000_000_000)
      ).defaulting(to: "0"),
      .value("extra-string", "WORD", "A word that the server keeps", \.extra, word)
        .defaulting(to: "Luna"),
    ]
  }

  private static var defaults: Option<UplinkReplayOptions> {
    let description = OptionDescription(
      "use-defaults",
      "Judge by the limits of Wehe's apps, whatever --area, --p-value and --ratio say",
      form: .negatableFlag)
    return Option<UplinkReplayOptions>(description) { options, given in
      options.usesDefaults = given == .on
    }.defaulting(to: "where none of them is given")
  }

  private static var word: ValueReader<String> {
    ValueReader<String>.text.map(expects: "1 to 64 letters, digits, @, _ and -") {
      text throws(ValueProblem) in
      guard ReplayPlan.isID(text) else { throw ValueProblem("is none that servers take") }
      return text
    }
  }

  /// How recordings are replayed and judged.
  var setup: ReplaySetup {
    var setup = ReplaySetup()
    setup.rule = rule
    setup.settings = settings
    setup.user = user
    setup.extra = extra
    setup.history = history
    setup.isTimed = isTimed
    setup.isNominal = buckets == .nominal
    return setup
  }

  /// The limits of the rule.
  var settings: OriginalSettings {
    var settings = OriginalSettings()
    if usesDefaults == true { return settings }
    settings.areDefaults = usesDefaults == nil
    settings.area = area / 100
    settings.p = p / 100
    settings.ratio = ratio
    return settings
  }
}
