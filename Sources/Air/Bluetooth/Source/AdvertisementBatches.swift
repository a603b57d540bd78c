/// The batches of reports of a source that was started.
public struct AdvertisementBatches: AsyncSequence, Sendable {
  let source: any AdvertisementSource

  /// Asks the source for batch after batch.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let source: any AdvertisementSource

    /// The next batch; nil at the end.
    public mutating func next() async throws(SourceError) -> [AdvertisingReport]? {
      try await source.nextBatch()
    }

    /// The next batch; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SourceError) -> [AdvertisingReport]? {
      try await source.nextBatch()
    }
  }

  /// Starts asking.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }
}
