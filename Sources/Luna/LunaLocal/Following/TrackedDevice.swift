import Bluetooth
import LunaCore
import LunaProtocol

/// One of one's own devices while it is being followed.
final class TrackedDevice {
  let number: UInt32
  private(set) var device: Device
  let local: LocalDevice
  /// The branches of the master key; nil for other families.
  let lunaKeys: TrackerKeys?
  /// Whether it is followed and not told of: its onboarding has not ended.
  private(set) var isHidden: Bool
  /// Whether somebody is about to end its onboarding, or to learn that it cannot be.
  var isBeingOnboarded = false
  /// Whether its owner has forgotten it: it is nobody's.
  var isForgotten = false
  /// When its identifiers change.
  let rotation: RotationSchedule
  /// What is known of its clock.
  var estimator: ClockEstimator
  /// What is seen of a clock whose known state lies in the future; see `TrackerFollower.followAside`.
  var aside: ClockEstimator?
  /// Whether the estimator's time was set since this scan began.
  var isClockOwn = false
  /// Whether the clock is to be stored.
  var isDirty = false
  /// What the store has of the clock, as far as is known here; nil for nothing.
  var kept: ClockInterval?
  /// Until when somebody else can say what it says of itself; nil where nobody was given that.
  var statusSharedUntil: Timestamp?

  /// The periods that the index holds: the expected ones, those of the provisional track, and those
  /// of the second sequence.
  var expected = PeriodRange.none
  var provisional = PeriodRange.none
  var second = PeriodRange.none
  /// The periods whose HEID is in the index of prefixes.
  var prefixes = PeriodRange.none

  /// Whether it was heard and has not timed out.
  var isPresent = false
  /// When it was heard last, in real time.
  var lastHeard = Timestamp.unknown
  /// When a sighting was stored last.
  var storedAt = Timestamp(microseconds: 0)
  /// The present identifier and its period.
  var currentKey: UInt64?
  var currentPeriod: UInt32?
  /// The address before the present one, within the present identifier.
  var formerAddress: BluetoothAddress?
  /// The status field that was opened last, and what it said.
  var openedESF: ESF?
  var openedPeriod: UInt32?
  var status: TrackerStatus?
  /// The drift that was told last.
  var toldDrift: Int64 = 0

  init(
    number: UInt32, _ device: Device, _ local: LocalDevice, lunaKeys: TrackerKeys?,
    clock: ClockState?, ppm: Int64, isHidden: Bool = false
  ) {
    self.number = number
    self.device = device
    self.local = local
    self.lunaKeys = lunaKeys
    self.isHidden = isHidden
    rotation = device.rotation
    estimator = ClockEstimator(
      interval: clock?.interval ?? device.firstInterval(rotation),
      provisional: clock?.provisional, ppm: ppm, rotation: rotation)
  }

  /// Its onboarding has ended: it is told of from now on.
  func reveal(as device: Device) {
    self.device = device
    local.update { $0.name = device.name }
    isHidden = false
    isForgotten = false
    isPresent = false
  }

  /// What is to be shown of the clock now.
  var present: ClockEstimator {
    guard let aside else { return estimator }
    // Until three periods fit together there is the track alone.
    guard let track = aside.provisional else { return aside }
    return ClockEstimator(interval: track.interval, ppm: aside.ppm, rotation: rotation)
  }

  /// Where the clock is followed beside a state that lies in the future.
  var asideInterval: ClockInterval? { aside == nil ? nil : present.interval }

  /// Whether an entry of the index is one that is wanted.
  func isCandidate(_ period: UInt32) -> Bool {
    if device.keys.kind == .appleFindMy, period & IdentifierKey.secondSequence != 0 {
      return second.contains(period & ~IdentifierKey.secondSequence)
    }
    return expected.contains(period) || provisional.contains(period)
  }
}

extension PeriodRange {
  /// No periods.
  static let none = PeriodRange(first: 1, last: 0)
}

extension Device {
  /// Whether its identifiers follow a clock.
  var hasClock: Bool { keys.kind.hasClock }

  /// When its identifiers change.
  var rotation: RotationSchedule {
    let onboarded = min(
      max(onboardingTimestamp.unixMilliseconds, 0), 1000 * Int64(UInt32.max))
    switch keys {
    case .luna, .lunaShared, .resolvableAddress, .appleFindMyKey: return .luna
    // Both delay each change by a random time; Find Hub by up to 204 s of 1,024.
    case .eddystoneEID(let keys):
      let period = Int64(1000) << Int64(keys.exponent)
      return RotationSchedule(
        origin: onboarded - 1000 * Int64(keys.counter), period: period, delayLimit: period / 5)
    case .googleFindHub(let keys):
      return RotationSchedule(
        origin: onboarded - 1000 * Int64(keys.counter), period: Period.milliseconds,
        delayLimit: Period.rotationDelayLimit)
    // An accessory changes its key at most every 15 minutes, and may be late by one change.
    case .appleFindMy:
      return RotationSchedule(origin: onboarded, period: 900_000, delayLimit: 900_000)
    }
  }

  /// What is known of the clock of a device that was not heard since it was onboarded.
  func firstInterval(_ rotation: RotationSchedule) -> ClockInterval {
    if case .appleFindMy(let keys) = keys {
      // What an older version took in may say anything.
      guard let alignment = keys.alignment, alignment.isPlausible(pairedAt: onboardingTimestamp)
      else { return ClockInterval(low: -7_200_000, high: 900_000, time: rotation.origin) }
      return ClockInterval(
        period: alignment.index, heardAt: alignment.time.unixMilliseconds, rotation: rotation)
    }
    // In whole seconds, as the protocol counts.
    return ClockInterval(
      low: -2000, high: 1000, time: 1000 * Int64(onboardingSeconds))
  }
}
