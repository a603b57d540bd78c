package import Bluetooth

/// What an `AdvertiserTable` holds of an advertiser.
package protocol AdvertiserEntry: Sendable {
  var identity: Advertiser.Identity { get }

  /// An advertiser of whom nothing is known but that it was heard.
  init(_ identity: Advertiser.Identity, at time: Timestamp)
}
