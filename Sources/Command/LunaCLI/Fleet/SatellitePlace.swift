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
    guard let fix = await source.firstFix(within: patience) else {
      throw CommandFailure(
        .notFound, "gpsd gave no position within 30 s", hint: "give --at LAT,LON")
    }
    return Place(
      latitude: fix.latitude, longitude: fix.longitude, source: .gpsd,
      accuracy: fix.horizontalAccuracy)
  }
}
