import Bluetooth

/// Decides by what step a scan that has stopped is brought back. It climbs from what disturbs least
/// to what disturbs most, rests longer and longer when it has come to the top in vain, and leaves
/// alone what a person has switched off. It knows neither clock nor adapter.
struct RecoveryLadder: Sendable {
  /// What is wrong.
  enum Trouble: Hashable, Sendable {
    /// The scan runs, and nothing is heard.
    case silent
    /// The scan cannot be started, or has ended.
    case stopped
    /// Another program stands in the way, or bluetoothd says so.
    case busy
    /// The adapter is not there.
    case gone
    /// The adapter is switched off; `isBlocked` when rfkill does it in software.
    case off(isBlocked: Bool)
  }

  /// The steps that make sense for a way to an adapter, from the lowest on.
  static let adapter: [RecoveryStep.Kind] = [.scan, .power, .interface, .usb]
  /// Taking an adapter for oneself switches it off and on already.
  static let exclusive: [RecoveryStep.Kind] = [.scan, .usb]
  /// Behind a byte stream there is only the controller itself.
  static let controller: [RecoveryStep.Kind] = [.scan]

  /// How long the ladder is left alone after it was climbed in vain; twice as long each time.
  static let rest = Duration.seconds(300)
  /// The longest such rest, while the scan cannot be started and in a place that seems quiet.
  static let longestRest = Duration.seconds(3600)
  static let longestQuietRest = Duration.seconds(86_400)
  /// An adapter that is missing so many times, but plugged in, is reset.
  static let missing = 4
  /// An adapter that is busy so many times is switched off and on: bluetoothd has been seen to say so
  /// for hours while nobody was in the way.
  static let busy = 4

  private let rungs: [RecoveryStep.Kind]
  private var rung = 0
  /// The steps since all was well.
  private(set) var attempt = 0
  /// Whether the adapter was reset: it comes back as a new one, which may be off or blocked.
  private var hasReset = false
  /// Whether a step has perhaps left the adapter off.
  private var mayBeOff = false
  private var hasUnblocked = false
  private var hasPowered = false
  private var missed = 0
  private var busies = 0
  private var climbs = 0
  private var restsUntil: Duration?
  /// What was refused when it was its turn last: for want of a right or of a device, or since somebody is connected.
  private var refusals: Set<RecoveryStep.Kind> = []
  /// How often the ladder was climbed in vain for a place that then proved to be quiet, and until when
  /// it is not climbed for silence again.
  private var quietClimbs = 0
  private var quietUntil: Duration?
  /// The silences in a row, while the place's usual traffic is not known.
  private var unknownSilences = 0

  init(_ rungs: [RecoveryStep.Kind]) { self.rungs = rungs }

  /// Whether every step was tried in vain, and the ladder rests.
  var isExhausted: Bool { restsUntil != nil }

  /// The next step.
  ///
  /// - Parameter knowsTraffic: whether it is known that something should be heard here.
  mutating func next(
    _ trouble: Trouble, knowsTraffic: Bool = true, at now: Duration
  ) -> RecoveryStep.Kind {
    attempt += 1
    if let until = restsUntil, now >= until { climbAgain() }
    switch trouble {
    case .off(let isBlocked): return switchedOff(isBlocked)
    case .gone:
      missed += 1
      return missed == RecoveryLadder.missing && rungs.contains(.usb) ? .usb : .wait
    case .busy:
      busies += 1
      return busies == RecoveryLadder.busy && rungs.contains(.power) ? .power : .scan
    case .silent where !knowsTraffic && unknownSilences == 0:
      // Perhaps there is nothing to hear; what disturbs more waits for the second time.
      unknownSilences += 1
      return .scan
    case .silent: return now < quietUntil ?? .zero ? quiet() : climb(trouble, now)
    case .stopped: return climb(trouble, now)
    }
  }

  /// A step was refused: nothing was done, so that it leaves no traces either.
  mutating func refused(_ step: RecoveryStep.Kind) { refusals.insert(step) }

  /// A step has ended.
  mutating func ended(_ step: RecoveryStep.Kind, worked: Bool) {
    refusals.remove(step)
    switch step {
    case .usb: hasReset = hasReset || worked
    case .power, .interface: mayBeOff = !worked
    case .scan, .rfkill, .wait: break
    }
  }

  /// The scan has run for a while: what stops it now is something new.
  mutating func ran() { rung = 0 }

  /// All is well again.
  mutating func recovered() {
    // Where silences end by themselves they are the way of the place, however often they come. What a
    // step has ended was none of those.
    let isOfThePlace = isExhausted || rung < 2
    let (climbs, until) = (quietClimbs, quietUntil)
    self = RecoveryLadder(rungs)
    if isOfThePlace { (quietClimbs, quietUntil) = (climbs, until) }
  }

  private mutating func quiet() -> RecoveryStep.Kind {
    restsUntil = quietUntil
    return .scan
  }

  /// What has switched it off? A step of ours, whose traces are removed, or a person, whose wish
  /// counts.
  private mutating func switchedOff(_ isBlocked: Bool) -> RecoveryStep.Kind {
    if isBlocked, hasReset, !hasUnblocked {
      hasUnblocked = true
      return .rfkill
    }
    if !isBlocked, hasReset || mayBeOff, !hasPowered, rungs.contains(.power) {
      hasPowered = true
      return .power
    }
    return .wait
  }

  private mutating func climb(_ trouble: Trouble, _ now: Duration) -> RecoveryStep.Kind {
    guard rung < rungs.count else {
      exhausted(trouble, now)
      return .scan
    }
    defer { rung += 1 }
    return rungs[rung]
  }

  private mutating func exhausted(_ trouble: Trouble, _ now: Duration) {
    guard restsUntil == nil else { return }
    // Where nothing was done but to start the scan, that nothing has helped says little: no longer rest comes of it.
    let steps = rungs.dropFirst()
    let count = !steps.isEmpty && steps.allSatisfy(refusals.contains) ? 0 : 1
    if trouble == .silent {
      quietUntil =
        now
        + min(RecoveryLadder.longestQuietRest, RecoveryLadder.rest * (1 << min(quietClimbs, 16)))
      quietClimbs += count
      restsUntil = quietUntil
    } else {
      restsUntil =
        now + min(RecoveryLadder.longestRest, RecoveryLadder.rest * (1 << min(climbs, 16)))
      climbs += count
    }
    // From here on who switches the adapter off means it.
    hasReset = false
    mayBeOff = false
  }

  private mutating func climbAgain() {
    restsUntil = nil
    rung = 0
    hasUnblocked = false
    hasPowered = false
    missed = 0
    busies = 0
  }
}
