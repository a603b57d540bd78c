import Bluetooth

/// What happened on a link.
struct LinkNews {
  let event: PeripheralEvent
  let link: PeripheralLink
}
