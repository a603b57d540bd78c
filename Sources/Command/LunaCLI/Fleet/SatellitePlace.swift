import LunaCore
import LunaFleet
import LunaLocation

/// Where a receiver for satellites is.
enum SatellitePlace {
  /// How long a position is waited for.
  private static let patience = Duration.seconds(30)

  static func find(_ host: String, _ port: UInt16) async throws(CommandFailure) -> Place {
    let source = LocationChoice.gpsd(host: host, port: port).makeSource(
      accuracy: nil, clock: .system)
    await source.start()
    let fix = await withTaskGroup(of: LocationFix?.self) { group in
      group.addTask {
        for await update in source.updates {
          if case .fix(let fix) = update { return fix }
        }
        return nil
      }
      group.addTask {
        try? await Task.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    await source.stop()
    guard let fix else {
      throw CommandFailure(
        .notFound, "gpsd gave no position within 30 s", hint: "give --at LAT,LON")
    }
    return Place(
      latitude: fix.latitude, longitude: fix.longitude, source: .gpsd,
      accuracy: fix.horizontalAccuracy)
  }
}
