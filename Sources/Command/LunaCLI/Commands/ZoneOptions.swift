import Bluetooth
import CommandSpec
import Diagnosis
import Glibc
import LunaDocuments

/// Which zone times are meant in that are given without one, and are shown in to people.
struct ZoneOptions: Sendable {
  var isUTC = false

  static var group: OptionGroup<ZoneOptions> {
    OptionGroup("Times", [.flag("utc", "Times are in UTC, not local", \.isUTC)])
      .fromEnvironment("LUNA")
  }

  /// The help of an option that takes a time, with the forms in which it is given.
  static func help(_ text: String) -> String {
    text + ": 2026-11-21 10:00, yesterday, yesterday 09:00, 15:00 (today), 24h (so long ago)"
  }

  /// How tables show times: local on a terminal, in UTC elsewhere.
  var clock: ClockText { clock(isTerminal: isatty(STDOUT_FILENO) == 1) }

  /// How text on standard output shows times: as ``clock`` on a terminal, as data elsewhere.
  var times: ShownTimes { times(isTerminal: isatty(STDOUT_FILENO) == 1) }

  /// How messages on standard error show times: as data in a log.
  var noted: ShownTimes { times(isTerminal: isatty(STDERR_FILENO) == 1) }

  func times(isTerminal: Bool) -> ShownTimes {
    isTerminal ? .clock(clock(isTerminal: true)) : .data
  }

  private func clock(isTerminal: Bool) -> ClockText {
    ClockText(isUTC || !isTerminal ? UTCZone() : LocalZone())
  }

  /// The zone of times that are given without one.
  var givenIn: any CivilZone { isUTC ? UTCZone() : LocalZone() }

  /// When clocks next show a time of day.
  func next(_ time: TimeOfDay, after now: Timestamp) -> Timestamp {
    time.next(after: now, in: givenIn)
  }

  /// The moment that is meant by a time.
  ///
  /// - Throws: ``CommandFailure``, a usage error, where clocks never showed that time, or twice.
  func moment(_ given: GivenTime?) throws(CommandFailure) -> Timestamp? {
    guard let given else { return nil }
    do throws(GivenTime.Problem) {
      return try given.moment(at: .now, in: givenIn)
    } catch {
      throw CommandFailure(
        .usage, "\(given.text) \(error.reason)", hint: "\(error.remedy), or use --utc")
    }
  }

  /// A filter with the moments that are meant by its times.
  ///
  /// - Throws: ``CommandFailure``, a usage error, where clocks never showed one of them, or twice.
  func meant(_ filter: FilterExpression?) throws(CommandFailure) -> FilterExpression? {
    guard let filter else { return nil }
    do throws(FilterError) {
      return try filter.meant(at: .now, in: givenIn)
    } catch {
      throw CommandFailure(
        .usage, "--filter is wrong at character \(error.position + 1): \(error.reason)",
        hint: error.remedy.map { "\($0), or use --utc" })
    }
  }
}
