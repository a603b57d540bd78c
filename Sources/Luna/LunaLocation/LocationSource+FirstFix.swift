package import LunaCore

extension LocationSource {
  /// The first position of a source that nobody has started; it is stopped afterwards.
  ///
  /// - Parameters:
  ///   - patience: how long it is waited for.
  ///   - clock: what that is measured with.
  /// - Returns: nil where none comes in time.
  package func firstFix(
    within patience: Duration, clock: WallClock = .system
  ) async -> LocationFix? {
    let updates = updates
    await start()
    let fix = await withTaskGroup(of: LocationFix?.self) { group in
      group.addTask {
        for await update in updates {
          if case .fix(let fix) = update { return fix }
        }
        return nil
      }
      group.addTask {
        try? await clock.sleep(patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    await stop()
    return fix
  }
}
