import Bluetooth
import LunaCore

/// A time in a filter, and the moment that it means.
struct FilterTime: Sendable {
  /// As it was given.
  let given: GivenTime
  /// Characters before it in the filter.
  let position: Int
  /// In UTC, and as of the reading of the filter, until ``meant(at:in:)`` says otherwise.
  private(set) var moment: Timestamp

  /// Reads it; nil for other text.
  init?(_ text: String, at position: Int) {
    guard let given = GivenTime(text),
      let moment = try? given.moment(at: WallClock.system.now(), in: UTCZone())
    else { return nil }
    self.given = given
    self.position = position
    self.moment = moment
  }

  /// The same, with the moment that a person in `zone` means.
  func meant(at now: Timestamp, in zone: some CivilZone) throws(FilterError) -> FilterTime {
    var meant = self
    do throws(GivenTime.Problem) {
      meant.moment = try given.moment(at: now, in: zone)
    } catch {
      throw FilterError(
        reason: "\(given.text) \(error.reason)", remedy: error.remedy, position: position)
    }
    return meant
  }
}
