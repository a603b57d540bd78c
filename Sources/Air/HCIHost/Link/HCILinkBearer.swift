package import Bluetooth
import PeripheralHost

/// An LE link of a controller as a bearer of ATT PDUs. For the reactor's thread only.
package final class HCILinkBearer: ATTBearer {
  let id: LinkID
  /// The other side.
  let peer: GATTPeer
  private let controller: HCIController

  init(_ id: LinkID, peer: GATTPeer, of controller: HCIController) {
    self.id = id
    self.peer = peer
    self.controller = controller
  }

  package func start(_ owner: any ATTBearerOwner) {
    controller.assumeIsolated { $0.start(id, owner) }
  }

  package func send(_ pdu: [UInt8]) { controller.assumeIsolated { $0.send(pdu, on: id) } }

  package var isCongested: Bool { controller.assumeIsolated { $0.isCongested(id) } }

  package func close() { controller.assumeIsolated { $0.close(id) } }
}
