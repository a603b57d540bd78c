public import Bluetooth
public import BlueZ

/// A radio that nobody hears: for a tracker that runs without an adapter.
public struct SilentAdvertiser: AdvertisingRadio {
  /// A silent radio.
  public init() {}

  /// Opens nothing.
  public func open(count: Int) async throws(SourceError) -> AdvertiserSummary {
    AdvertiserSummary(
      name: "virtual", simulated: true, explanation: "running without a radio: nobody hears this",
      deviations: ["nothing is sent"])
  }

  /// Sends nothing.
  public func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError) {}

  /// Closes nothing.
  public func close() async {}
}
