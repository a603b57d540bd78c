/// Where advertisements come from: a radio path, a capture file, the virtual radio.
///
/// Used by one consumer: `start`, then `nextBatch` until it returns nil or throws, then `stop`.
public protocol AdvertisementSource: AnyObject, Sendable {
  /// What this source is. Once `start` has returned, only an adapter that comes back with another number
  /// changes it.
  var description: SourceDescription { get }

  /// Opens the source and begins to scan.
  ///
  /// - Throws: ``SourceError`` naming what is in the way.
  func start() async throws(SourceError)

  /// The next reports, in the order in which they were heard; waits until there is at least one.
  /// Nil when the source has ended or was stopped.
  ///
  /// - Throws: ``SourceError`` when the source failed for good.
  func nextBatch() async throws(SourceError) -> [AdvertisingReport]?

  /// What the source is doing; the latest state first, then every change.
  var states: AsyncStream<SourceState> { get }

  /// What was seen and lost so far.
  var counters: SourceCounters { get }

  /// Listens in this rhythm from now on; before ``start()`` from the beginning. While it does not
  /// listen the scan is off, and everything else stays as it is. Returns when the scan is on or off.
  ///
  /// Reports that were on their way, or that come because somebody else has the adapter scan, may
  /// still follow. What has no scan to switch off, such as a recording, goes on as before, and nothing
  /// of it is lost. What keeps a scan from going on is told by ``states`` and ``nextBatch()``, as for
  /// one that stops by itself. Only ``ScanRhythm/paused`` is told as ``SourceState/paused``.
  func listen(_ rhythm: ScanRhythm) async

  /// Switches the scan off and lets go of everything; a waiting `nextBatch` returns nil. Returns
  /// when that is done; can be called more than once and from any task.
  func stop() async
}

extension AdvertisementSource {
  /// The batches as an asynchronous sequence.
  public var batches: AdvertisementBatches { AdvertisementBatches(source: self) }

  /// Nothing, for what has no scan to switch off.
  public func listen(_ rhythm: ScanRhythm) async {}

  /// Switches the scan off until ``resume()``.
  public func pause() async { await listen(.paused) }

  /// Listens all the time, after ``pause()`` or another rhythm.
  public func resume() async { await listen(.steady) }
}
