import Bluetooth
import CommandSpec
import Glibc
import LunaDocuments

/// Which zone times are meant in that are given without one, and are shown in to people.
struct ZoneOptions: Sendable {
  var isUTC = false

  static var group: OptionGroup<ZoneOptions> {
    OptionGroup("Times", [.flag("utc", "Times are in UTC, not local", \.isUTC)])
      .fromEnvironment("LUNA")
  }

  /// How times are shown: local on a terminal, in UTC elsewhere.
  var clock: ClockText {
    ClockText(isUTC || isatty(STDOUT_FILENO) == 0 ? UTCZone() : LocalZone())
  }

  /// When clocks next show a time of day.
  func next(_ time: TimeOfDay, after now: Timestamp) -> Timestamp {
    isUTC ? time.next(after: now, in: UTCZone()) : time.next(after: now, in: LocalZone())
  }

  /// The moment that is meant by a time.
  ///
  /// - Throws: ``CommandFailure``, a usage error, where clocks never showed that time, or twice.
  func moment(_ given: GivenTime?) throws(CommandFailure) -> Timestamp? {
    guard let given else { return nil }
    do throws(GivenTime.Problem) {
      return isUTC
        ? try given.moment(at: .now, in: UTCZone()) : try given.moment(at: .now, in: LocalZone())
    } catch {
      let reason =
        switch error {
        case .skipped: "is no time: clocks were put forward over it"
        case .repeated: "is twice: clocks were put back over it"
        }
      throw CommandFailure(
        .usage, "\(given.text) \(reason)",
        hint: "give it with its zone, as in 2026-10-25T02:30:00+02:00, or use --utc")
    }
  }
}
