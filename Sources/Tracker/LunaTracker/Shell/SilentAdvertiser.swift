public import Bluetooth

/// A radio that nobody hears: for a tracker that runs without an adapter.
public struct SilentAdvertiser: AdvertisingRadio {
  /// A silent radio.
  public init() {}

  /// Opens nothing.
  public func open(
    count: Int, serving services: [GATTService], onLink: @escaping LinkHandler
  ) async throws(SourceError) -> AdvertiserSummary {
    AdvertiserSummary(
      name: "virtual", simulated: true, explanation: "running without a radio: nobody hears this",
      deviations: ["nothing is sent"])
  }

  /// Sends nothing.
  public func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError) {}

  /// Is silent anyway.
  public func silence(_ number: Int) async throws(SourceError) {}

  /// Answers nobody.
  public func respond(_ response: GATTResponse, on link: PeripheralLink) async {}

  /// Indicates nothing.
  public func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink
  ) async {}

  /// Disconnects nobody.
  public func disconnect(_ link: PeripheralLink) async {}

  /// Closes nothing.
  public func close() async {}
}
