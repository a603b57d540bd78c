import Bluetooth
import LunaProtocol

/// A Luna frame as it was heard.
struct HeardFrame: Hashable, Sendable {
  let frame: LunaFrame
  let peer: GATTPeer
  let isConnectable: Bool
  let rssi: Int?

  init(_ frame: LunaFrame, from peer: GATTPeer, isConnectable: Bool, rssi: Int?) {
    self.frame = frame
    self.peer = peer
    self.isConnectable = isConnectable
    self.rssi = rssi
  }
}
