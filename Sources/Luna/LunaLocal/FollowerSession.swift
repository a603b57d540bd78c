package import Bluetooth
package import LunaCore
package import LunaCrypto
import LunaProtocol

/// A follower and what goes on beside the reports: time-outs by the clock that goes on, and steps of
/// the time of day. Whoever has one calls ``tick(into:)`` once a second.
///
/// Not to be used from two threads at once.
package struct FollowerSession {
  /// How often is to be saved what was learned, s.
  package static let saveInterval = 10

  /// A radio that is away for less has missed nobody: trackers are heard several times in a time-out.
  private static let interruption: Duration = .seconds(10)

  /// The follower.
  package let follower: TrackerFollower
  private let clock: WallClock
  private var steps = StepDetector()
  /// When the last report came, and its time.
  private var lastReport: (elapsed: Duration, time: Timestamp)?
  /// Since when nobody can be heard; nil while the radio works.
  private var deafSince: Duration?
  /// From when on who is not heard is silent, after the radio has not worked; nil where it always has.
  private var judgesFrom: Duration?

  /// A session of some devices, none of which has been heard.
  ///
  /// - Throws: as the follower.
  package init(
    _ devices: [Device], configuration: LocalConfiguration, clock: WallClock
  ) throws(CryptoError) {
    follower = try TrackerFollower(devices, configuration: configuration)
    self.clock = clock
  }

  /// Takes reports.
  ///
  /// - Parameter updates: gets what happened, in order.
  package mutating func receive(
    _ reports: [AdvertisingReport], into updates: inout [LocalUpdate]
  ) {
    // Before the times of these are compared with those of others.
    mindSteps()
    follower.judgesSilence = judgesSilence
    for report in reports { follower.receive(report, into: &updates) }
    if let time = reports.last?.time, time != .unknown { lastReport = (clock.elapsed(), time) }
  }

  /// Time has passed: the time of the reports is as late as the last one, and what has gone by since.
  package mutating func tick(into updates: inout [LocalUpdate]) {
    mindSteps()
    follower.deriveMeanwhile()
    follower.judgesSilence = judgesSilence
    guard let last = lastReport else { return }
    let passed = clock.elapsed() - last.elapsed
    follower.advance(to: last.time.advanced(by: passed), into: &updates)
  }

  private mutating func mindSteps() {
    // The time of a recording is not that of this machine.
    guard !follower.configuration.isRecording, let step = steps.check(clock) else { return }
    follower.ownerClockStepped(by: step)
    if let last = lastReport { lastReport?.time = last.time.advanced(by: step) }
  }

  /// The radio works, or does not: then silence means nothing, nor does it until it could be heard for as long as a
  /// time-out.
  package mutating func take(_ update: ListeningUpdate) {
    let now = clock.elapsed()
    switch update {
    case .recovering, .lost: deafSince = deafSince ?? now
    case .listening:
      guard let since = deafSince else { return }
      deafSince = nil
      guard now - since >= FollowerSession.interruption else { return }
      let timeout = max(0, min(follower.configuration.timeout, 1e9))
      judgesFrom = now + Duration.seconds(timeout)
    case .recovery, .dropped: break
    }
  }

  private var judgesSilence: Bool {
    guard deafSince == nil else { return false }
    return judgesFrom.map { clock.elapsed() >= $0 } ?? true
  }

  /// Whether something may happen soon without a report.
  var isWaiting: Bool { follower.isWaiting }
}
