public import LunaCore

extension LocationChoice: LocationProvider {
  /// The source, not started.
  ///
  /// - Parameters:
  ///   - accuracy: what is wanted, m; nil for the best there is.
  ///   - clock: what ages and pauses are measured with.
  public func makeSource(
    accuracy: Double? = nil, clock: WallClock = .system
  ) -> any LocationSource {
    switch self {
    case .place(let latitude, let longitude, let altitude):
      StaticLocation(
        LocationFix(latitude: latitude, longitude: longitude, altitude: altitude))
    case .gpsd(let host, let port): GPSDLocation(host: host, port: port, clock: clock)
    case .geoclue: GeoClueLocation(bus: SystemGeoClueBus(), accuracy: accuracy, clock: clock)
    }
  }
}
