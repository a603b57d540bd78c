/// A way to the air that both hears and connects. While a connection is up the source may hear
/// less, or nothing; it goes on by itself afterwards.
public struct Radio: Sendable {
  /// What hears; started and stopped by whoever uses the radio.
  public let source: any AdvertisementSource
  /// What connects, once the source has started; closed before the source is stopped.
  public let client: any GATTClient

  /// A radio of two halves that know of each other.
  public init(source: any AdvertisementSource, client: any GATTClient) {
    self.source = source
    self.client = client
  }

  /// A radio that only hears: connecting is refused.
  public init(source: any AdvertisementSource) {
    self.init(source: source, client: NoGATTClient())
  }
}
