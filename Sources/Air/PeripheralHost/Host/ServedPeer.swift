import Bluetooth

/// A peer that has connected, and what it is owed.
struct ServedPeer: Sendable {
  /// How long a peer may take to confirm what was indicated before it is disconnected.
  static let farewellLimit = Duration.seconds(2)

  let id: LinkID
  /// What the owner of the services knows it by.
  let link: PeripheralLink
  var server: ATTServer
  /// When what was indicated has to be confirmed.
  var confirmationDeadline: Duration?
  /// When the link is ended in any case.
  var farewellDeadline: Duration?
}
