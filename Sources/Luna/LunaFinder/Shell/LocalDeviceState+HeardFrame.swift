import Bluetooth
import LunaCore
import LunaProtocol

extension LocalDevice.State {
  /// Takes in a frame.
  mutating func take(_ heard: HeardFrame, at time: Timestamp) {
    address = heard.peer.address
    addressType = heard.peer.addressType
    connectable = heard.isConnectable
    eid = heard.frame.eid.description
    separated = heard.frame.isSeparated
    rssi = heard.rssi.map { Double($0) }
    firstSignalDate = firstSignalDate ?? time
    lastSeenDate = time
    timedOut = false
  }
}
