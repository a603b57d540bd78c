public import Bluetooth

/// Which fixes may be used.
public enum LocationRules {
  /// How old a fix may be.
  public static let maximumAge: Duration = .seconds(30)
  /// How far ahead of the clock the date of a fix may be: clocks of receivers and of machines differ.
  static let tolerance: Duration = .seconds(10)
  /// No machine that runs Luna, and no receiver beside it, lives before this: 2026-01-01. Receivers
  /// that count GPS weeks in 10 bits report dates 19.6 years back.
  public static let earliest = Timestamp(microseconds: 1_767_225_600_000_000)
  /// The end of the u32 seconds of the protocol, 2106-02-07.
  public static let latest = Timestamp(microseconds: 4_294_967_295_000_000)

  /// Whether a clock shows a time that can be.
  public static func isPlausible(_ time: Timestamp) -> Bool { earliest <= time && time <= latest }

  /// Why a fix is not to be used at a time; nil when it may be.
  ///
  /// - Parameter now: the machine's clock. While that itself shows no time that can be, the age of
  ///   a fix cannot be told and only its own date counts.
  public static func refusal(of fix: LocationFix, at now: Timestamp) -> LocationRefusal? {
    guard -90...90 ~= fix.latitude, -180...180 ~= fix.longitude else { return .impossiblePosition }
    guard let date = fix.measuredAt else { return nil }
    guard isPlausible(date) else { return .impossibleDate }
    guard isPlausible(now) else { return nil }
    let age = Duration.microseconds(now.microseconds - date.microseconds)
    if age < .zero - tolerance { return .impossibleDate }
    return age > maximumAge ? .stale : nil
  }
}
