public import Bluetooth

/// Somebody who advertises through an adapter or a controller. Calls come one after the other.
public protocol AdvertisingRadio: Sendable {
  /// Takes the adapter.
  ///
  /// - Parameter count: how many advertisements are sent side by side.
  /// - Throws: ``SourceError``, of kind `invalid` when there cannot be so many.
  func open(count: Int) async throws(SourceError) -> AdvertiserSummary

  /// Sends this from now on, instead of what was sent under this number before.
  ///
  /// - Parameter number: below the count.
  func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError)

  /// Falls silent and gives the adapter back.
  func close() async
}
