/// Where location sources come from, one for each run of a finder. A ``LocationSource`` that can be
/// started again after it was stopped is its own provider: it only has to say so.
public protocol LocationProvider: Sendable {
  /// A source that was not started.
  ///
  /// - Parameters:
  ///   - accuracy: what is wanted, m; nil for the best there is.
  ///   - clock: what ages and pauses are measured with.
  func makeSource(accuracy: Double?, clock: WallClock) throws -> any LocationSource
}

extension LocationProvider where Self: LocationSource {
  /// This one.
  public func makeSource(accuracy: Double?, clock: WallClock) -> any LocationSource { self }
}
