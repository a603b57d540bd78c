public import LunaHome
public import LunaStore

/// The trackers of a home.
public struct DeviceManager: Sendable {
  private let home: @Sendable () throws(HomeError) -> LunaHome

  init(_ home: @escaping @Sendable () throws(HomeError) -> LunaHome) { self.home = home }

  /// All of them, in the order of the file.
  ///
  /// - Throws: ``LunaHome/HomeError`` of kind `state` before the start.
  public func all() async throws(HomeError) -> [HomeTracker] {
    try await home().snapshot().trackers
  }

  /// A tracker; nil when there is none of that id.
  ///
  /// - Throws: ``LunaHome/HomeError`` of kind `state` before the start.
  public func tracker(_ id: String) async throws(HomeError) -> HomeTracker? {
    try await home().tracker(id)
  }

  /// Asks something of a tracker: one of ``LunaHome/HomeTracker/actions``, or what its class knows.
  ///
  /// - Throws: ``LunaHome/HomeError`` of kind `notFound`, `action` or `state`, before anything is done.
  /// - Returns: the command as it begins.
  @discardableResult
  public func perform(
    _ action: String, on id: String, value: PropertyValue? = nil
  ) async throws(HomeError) -> HomeCommandRow {
    try await home().perform(action, on: id, value: value)
  }
}
