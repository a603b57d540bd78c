/// Somebody who advertises through an adapter or a controller, and serves whoever connects. Calls
/// come one after the other. An advertisement has one link at a time.
public protocol AdvertisingRadio: Sendable {
  /// Gets what happens on the links, in order; a link begins with `connected` and ends with
  /// `disconnected`.
  typealias LinkHandler = @Sendable (PeripheralEvent, PeripheralLink) -> Void

  /// Takes the adapter.
  ///
  /// - Parameters:
  ///   - count: how many advertisements are sent side by side.
  ///   - services: what is offered to those who connect, beside what every device has to offer.
  ///   - onLink: gets what happens on the links.
  /// - Throws: ``SourceError``, of kind `invalid` when there cannot be so many.
  func open(
    count: Int, serving services: [GATTService], onLink: @escaping LinkHandler
  ) async throws(SourceError) -> AdvertiserSummary

  /// Sends this from now on, instead of what was sent under this number before. A link that is up
  /// stays up.
  ///
  /// - Parameter number: below the count.
  func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError)

  /// Sends nothing under this number until the next ``advertise(_:as:)``. A link that is up stays up.
  ///
  /// - Parameter number: below the count.
  func silence(_ number: Int) async throws(SourceError)

  /// Answers what was read or written first of what is not answered yet.
  func respond(_ response: GATTResponse, on link: PeripheralLink) async

  /// Indicates a value if the other side wants it.
  func indicate(_ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink) async

  /// Ends a link once what was indicated is confirmed, soon in any case.
  func disconnect(_ link: PeripheralLink) async

  /// Ends all links, falls silent and gives the adapter back.
  func close() async
}
