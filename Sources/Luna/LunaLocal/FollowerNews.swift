package import LunaCore
package import LunaProtocol

/// What a follower has learned and a store is to keep.
package struct FollowerNews: Sendable {
  /// Clocks that have changed.
  package var clocks: [DeviceUUID: ClockState]
  /// What was heard.
  package var sightings: [Sighting]
  /// Derivations that took long.
  package var derivations: [DerivationKey: [UInt8]]

  /// Has it kept.
  ///
  /// - Throws: what the store says; what was not kept by then is lost, and learned again.
  package func save(to store: any DeviceStore) async throws(DeviceStoreError) {
    if !sightings.isEmpty { try await store.record(sightings) }
    if !clocks.isEmpty { try await store.save(clocks) }
    for (key, bytes) in derivations { try await store.saveDerivations(bytes, for: key) }
  }
}

extension TrackerFollower {
  /// What is to be kept since this was asked last; nil when there is nothing.
  package func takeNews() -> FollowerNews? {
    guard hasNews else { return nil }
    let news = FollowerNews(
      clocks: takeClocks(), sightings: takeSightings(), derivations: takeDerivations())
    // The time of a recording is not now: it teaches nothing that is to be kept but derivations.
    return configuration.isRecording
      ? FollowerNews(clocks: [:], sightings: [], derivations: news.derivations) : news
  }
}
