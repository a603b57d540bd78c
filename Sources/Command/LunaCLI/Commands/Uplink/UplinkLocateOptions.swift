import CommandSpec
import LunaUplink
import UplinkProtocol

/// How a difference is located.
struct UplinkLocateOptions: Sendable {
  var pairs: [[String]] = []
  var measuresUsual = false
  var isForced = false
  var controlName = "example.com"
  var simulation: UplinkLocateSimulation?
  var variationP = LocalizeLevels().variation * 100
  var lossP = LocalizeLevels().loss * 100
  var lossShare = LocalizeLevels().share

  static var group: OptionGroup<UplinkLocateOptions> {
    OptionGroup(
      "Place",
      [
        .repeated(
          "pair", "URL,URL",
          "Two servers whose paths part, https://HOST[:PORT] each; of several pairs the first that can be used",
          \.pairs, urls
        ).defaulting(to: "those that the backend knows"),
        .flag(
          "baseline", "Measure what replays usually differ by, for luna uplink results judge",
          \.measuresUsual),
        .flag("force", "Take paths of which too little is known; the result says so", \.isForced),
        UplinkPairOptions.controlOption(\.controlName),
        .value(
          "simulate", "WHAT", "Locate over links that are made up, such as common or separate",
          \.simulation, UplinkLocateSimulation.reader),
        .value(
          "mwu-p-value", "PERCENT", "Below which probability two replays at once are like one",
          \.variationP, .number(0...100)
        ).defaulting(to: "5"),
        .value(
          "correlation-p-value", "PERCENT", "Below which probability losses come together", \.lossP,
          .number(0...100)
        ).defaulting(to: "5"),
        .value(
          "correlation-share", "SHARE", "In how many lengths of intervals they have to",
          \.lossShare, .number(0...1)
        ).defaulting(to: "0.5"),
      ], exclusive: [["baseline", "simulate"]])
  }

  /// Two servers of ours.
  static var urls: ValueReader<[String]> {
    ValueReader(expects: "https://HOST[:PORT],https://HOST[:PORT]") { text throws(ValueProblem) in
      let urls = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard urls.count == 2, urls.allSatisfy(HostPlace.isURL) else {
        throw ValueProblem("is no pair of servers")
      }
      return urls
    }
  }

  /// From where on what servers of Wehe's say means something.
  var levels: LocalizeLevels {
    var levels = LocalizeLevels()
    levels.variation = variationP / 100
    levels.loss = lossP / 100
    levels.share = lossShare
    return levels
  }
}
