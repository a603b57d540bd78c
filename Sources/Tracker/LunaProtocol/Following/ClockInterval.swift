/// What is known of a tracker's clock: at `time`, the tracker's clock less the owner's was between
/// `low` and `high` (PROTOCOL.md, 11.2). All in ms.
public struct ClockInterval: Hashable, Sendable {
  /// The bound of an oscillator's error unless configured otherwise, parts per million.
  public static let defaultPPM: Int64 = 200

  /// The lower bound, ms; negative: the tracker's clock may be behind.
  public var low: Int64
  /// The upper bound, ms.
  public var high: Int64
  /// When that held, the owner's Unix ms.
  public var time: Int64

  /// An interval of these bounds.
  public init(low: Int64, high: Int64, time: Int64) {
    self.low = low
    self.high = high
    self.time = time
  }

  /// What onboarding leaves: the seconds that were sent had been cut, and took up to a second.
  ///
  /// - Parameter onboardingTimestamp: the time that the tracker was given, Unix s.
  public init(onboardingTimestamp: UInt32) {
    self.init(low: -2000, high: 1000, time: Int64(onboardingTimestamp) * 1000)
  }

  /// What setting the clock leaves.
  ///
  /// - Parameters:
  ///   - seconds: the time that the tracker was given, Unix s.
  ///   - sent: when the request was sent, ms.
  ///   - answered: when the verified answer came, ms.
  public init(clockSet seconds: UInt32, sent: Int64, answered: Int64) {
    let value = Int64(seconds) * 1000
    self.init(
      low: value.clampedSubtracting(answered), high: value.clampedSubtracting(sent),
      time: answered)
  }

  /// What a verified reading of the clock tells.
  ///
  /// - Parameters:
  ///   - seconds: the time that the tracker gave, Unix s, cut.
  ///   - sent: when the request was sent, ms.
  ///   - answered: when the answer came, ms.
  public init(clockRead seconds: UInt32, sent: Int64, answered: Int64) {
    let value = Int64(seconds) * 1000
    self.init(
      low: value.clampedSubtracting(answered), high: (value + 999).clampedSubtracting(sent),
      time: answered)
  }

  /// What hearing a period tells: a tracker shows b from bP until a rotation delay after (b+1)P.
  ///
  /// - Parameter time: when it was heard, the owner's Unix ms.
  public init(period: UInt32, heardAt time: Int64, rotation: RotationSchedule = .luna) {
    self.init(
      low: rotation.start(of: period).clampedSubtracting(time),
      high: rotation.windowEnd(of: period).clampedSubtracting(1).clampedSubtracting(time),
      time: time)
  }

  /// The interval at another time: wider by what the oscillator may have drifted, in both
  /// directions of time.
  public func aged(to time: Int64, ppm: Int64 = defaultPPM) -> ClockInterval {
    let elapsed = UInt64((Int128(time) - Int128(self.time)).magnitude)
    let (high64, low64) = elapsed.multipliedFullWidth(by: UInt64(clamping: ppm))
    let parts = UInt128(high64) << 64 | UInt128(low64)
    let widening = Int64(clamping: (parts + 999_999) / 1_000_000)
    return ClockInterval(
      low: low.clampedSubtracting(widening), high: high.clampedAdding(widening), time: time)
  }

  /// The same knowledge after the owner's clock was set forward by `step` ms.
  func afterOwnerClockStep(of step: Int64) -> ClockInterval {
    ClockInterval(
      low: low.clampedSubtracting(step), high: high.clampedSubtracting(step),
      time: time.clampedAdding(step))
  }

  /// The periods that may be heard at a time: exactly those whose sighting would not be `stepped`.
  public func candidates(
    at time: Int64, ppm: Int64 = defaultPPM, rotation: RotationSchedule = .luna
  ) -> PeriodRange {
    let aged = aged(to: time, ppm: ppm)
    let earliest = time.clampedAdding(aged.low).clampedSubtracting(rotation.delayLimit)
    return PeriodRange(
      first: rotation.number(at: earliest),
      last: rotation.number(at: time.clampedAdding(aged.high)))
  }

  /// The periods that may be heard at some moment of a time: from the first candidate at its start to
  /// the last one at its end (PROTOCOL.md, 10 and 12.1). All that maps times to periods goes through
  /// this, so that nobody leaves out that a tracker shows a period until a rotation delay after it.
  public func periods(
    from start: Int64, to end: Int64, ppm: Int64 = defaultPPM, rotation: RotationSchedule = .luna
  ) -> PeriodRange {
    PeriodRange(
      first: candidates(at: start, ppm: ppm, rotation: rotation).first,
      last: candidates(at: end, ppm: ppm, rotation: rotation).last)
  }

  /// The effects that a sighting can have on an interval.
  public enum Update: String, Sendable {
    /// It is older than the interval: no change.
    case older
    /// It contradicts the interval: no change.
    case stepped
    /// It says nothing new: no change, so that no rounding piles up.
    case unchanged
    /// It narrowed the interval.
    case updated
  }

  /// Takes in that a period was heard.
  public mutating func update(
    period: UInt32, at time: Int64, ppm: Int64 = defaultPPM, rotation: RotationSchedule = .luna
  ) -> Update {
    guard time >= self.time else { return .older }
    let aged = aged(to: time, ppm: ppm)
    let sighting = ClockInterval(period: period, heardAt: time, rotation: rotation)
    let common = ClockInterval(
      low: max(aged.low, sighting.low), high: min(aged.high, sighting.high), time: time)
    guard common.low <= common.high else { return .stepped }
    guard common != aged else { return .unchanged }
    self = common
    return .updated
  }
}
