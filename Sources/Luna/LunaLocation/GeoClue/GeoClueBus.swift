import SystemBus

/// What is needed of the system bus, so that a test can script the other side.
protocol GeoClueBus: Sendable {
  /// Connects.
  ///
  /// - Parameters:
  ///   - onLocation: gets the path of each new location.
  ///   - onLoss: called once when the bus has closed the connection, or GeoClue left the bus.
  func open(
    onLocation: @escaping @Sendable (String) -> Void, onLoss: @escaping @Sendable () -> Void
  ) async throws(BusError)

  /// Calls a method of GeoClue.
  func call(
    _ path: String, _ interface: String, _ method: String
  ) async throws(BusError) -> [BusValue]

  /// Sets a property of GeoClue's.
  func set(
    _ name: String, of interface: String, at path: String, to value: BusValue
  ) async throws(BusError)

  /// All properties of an interface.
  func properties(of interface: String, at path: String) async throws(BusError) -> BusValue

  /// Disconnects.
  func close() async
}
