public import Bluetooth
public import LunaCore

/// Makes trackers that belong to somebody else sound, and asks them what they are: by IETF DULT, by
/// Apple's Find My network, or by the AirTag's own service, whichever the tracker offers.
public struct NonOwnerRinger: Sendable {
  private let session: StrangerSession

  /// Somebody who does not own a tracker.
  ///
  /// - Parameters:
  ///   - client: what connects; it stays the caller's.
  ///   - device: waits for the next advertisement of the tracker, at most for a time, and gives it; nil
  ///     when none has come.
  ///   - progress: gets how far it has come.
  public init(
    client: any GATTClient, limits: BuzzerLimits = BuzzerLimits(), clock: WallClock = .system,
    hearing device: @escaping @Sendable (Duration) async -> AdvertisingReport?,
    progress: @escaping @Sendable (BuzzerProgress) -> Void = { _ in }
  ) {
    session = StrangerSession(
      client: client, limits: limits, clock: clock,
      listen: { await device($0) }, progress: progress)
  }

  /// Makes it sound; returns when the sound has ended. Cancelled, it is told to be silent.
  ///
  /// - Parameters:
  ///   - duration: for how long at most; the tracker decides on 5 to 30 s.
  ///   - news: gets that it sounds, and by which protocol, and how it ended.
  /// - Throws: ``BuzzerError``; of kind `notSeparated` when it obeys only its owner now.
  public func ring(
    for duration: Duration, _ news: (RingNews) async -> Void
  ) async throws(BuzzerError) {
    try await session.run(RingMachine(.start(duration), limit: session.limits.answer), news)
  }

  /// Tells it to be silent.
  ///
  /// - Throws: ``BuzzerError``.
  public func silence(_ news: (RingNews) async -> Void) async throws(BuzzerError) {
    try await session.run(RingMachine(.stop, limit: session.limits.answer), news)
  }

  /// Asks it what it tells anyone.
  ///
  /// - Parameters:
  ///   - patience: how long to ask for the identifier, which wants a physical action on the tracker.
  ///   - news: gets what it tells, and when that action is due.
  /// - Throws: ``BuzzerError``.
  public func identify(
    waitingForIdentifier patience: Duration = .zero, _ news: (IdentifyNews) async -> Void
  ) async throws(BuzzerError) {
    try await session.run(
      IdentifyMachine(limit: session.limits.answer, identifierWithin: patience), news)
  }
}
