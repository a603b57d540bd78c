import CommandSpec
import LunaFinder
import LunaStore

/// How often a finder reports, how much it keeps, and what it sends.
struct FinderLimitOptions: Sendable {
  var batch = 10
  var batchTime = Duration.seconds(10)
  var interval = Duration.seconds(60)
  var distance = 10.0
  var accuracy: Double?
  var queueLimit = SQLiteEventQueue.defaultLimit
  var debugFields = false
  var allowsDebugFields = false

  static var group: OptionGroup<FinderLimitOptions> {
    OptionGroup("How much", times + places + debug)
  }

  private static var times: [Option<FinderLimitOptions>] {
    [
      .value("batch", "N", "Upload as soon as N events are waiting", \.batch, .integer(1...1000))
        .defaulting(to: "10"),
      .value(
        "batch-time", "TIME", "Upload once an event has waited for TIME", \.batchTime, .duration
      ).defaulting(to: "10s"),
      .value("interval", "TIME", "Report a tracker at most once per TIME", \.interval, .duration)
        .defaulting(to: "1m"),
      .value("queue-limit", "N", "Keep at most N events", \.queueLimit, limitReader)
        .defaulting(to: "200000"),
    ]
  }

  private static var places: [Option<FinderLimitOptions>] {
    [
      .value(
        "distance", "METRES", "Change the reported position only when it has moved by METRES",
        \.distance,
        .number(0...86_400)
      ).defaulting(to: "10"),
      .value("accuracy", "METRES", "The accuracy wanted of positions", \.accuracy, accuracyReader)
        .defaulting(to: "the best available"),
    ]
  }

  private static var debug: [Option<FinderLimitOptions>] {
    [
      .flag(
        "debug-fields", "Also send positions and identifiers in the clear, for tests", \.debugFields
      ),
      .flag(
        "allow-insecure-debug-fields", "Confirm that anybody at the backend may read them",
        \.allowsDebugFields),
    ]
  }

  private static var limitReader: ValueReader<Int> { .integer(1000...100_000_000) }

  private static var accuracyReader: ValueReader<Double?> {
    ValueReader<Double>.number(0...100_000).map { $0 }
  }

  /// Puts all of it into a configuration.
  func apply(to configuration: inout LunaConfiguration) {
    configuration.timeBetweenPostsToServerInSeconds = batchTime / .seconds(1)
    configuration.maximumCacheSize = batch
    configuration.minimumDistanceBetweenTwoLocationsInMeters = distance
    configuration.minimumTimeBetweenTwoEventsInSeconds = interval / .seconds(1)
    configuration.finderDesiredAccuracy = accuracy
    configuration.queueLimit = queueLimit
    configuration.sendsDebugFields = debugFields
    configuration.allowInsecureDebugFields = allowsDebugFields
  }
}
