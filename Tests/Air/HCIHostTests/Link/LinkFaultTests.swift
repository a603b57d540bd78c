import Bluetooth
import PeripheralHost
import Testing

@testable import HCIHost

@Suite struct LinkFaultTests {
  @Test(
    arguments: [
      (0x08, .abortedByPeer), (0x13, .abortedByPeer), (0x14, .abortedByPeer),
      (0x16, .abortedLocally), (0x22, .abortedByPeer), (0x3D, .abortedByPeer),
      (0x3E, .outOfRange), (0x05, .refused), (0x06, .refused), (0x1F, .abortedByPeer),
    ] as [(UInt8, GATTError.Kind)])
  func tellsWhyALinkEnded(_ status: UInt8, _ kind: GATTError.Kind) {
    let status = HCIStatus(rawValue: status)
    #expect(LinkFault.ended(status, isOurs: false).kind == kind)
    #expect(LinkFault.ended(status, isOurs: true).kind == .abortedLocally)
  }

  @Test(
    arguments: [
      (0x3E, .outOfRange), (0x02, .outOfRange), (0x0C, .busy), (0x09, .busy), (0x0D, .busy),
      (0x0B, .busy), (0x07, .busy), (0x3A, .busy), (0x12, .refused), (0x01, .refused),
      (0x13, .abortedByPeer), (0x05, .refused),
    ] as [(UInt8, GATTError.Kind)])
  func tellsWhyALinkWasNotMade(_ status: UInt8, _ kind: GATTError.Kind) {
    let error = LinkFault.notMade(.status(HCIStatus(rawValue: status)))
    #expect(error.kind == kind)
    #expect(error.operation == "connect")
  }

  @Test func tellsTheRest() {
    #expect(LinkFault.notMade(.busy).kind == .busy)
    #expect(LinkFault.notMade(.timedOut).kind == .outOfRange)
    #expect(LinkFault.notMade(.lost("gone")) == GATTError(.adapterLost, during: "connect", "gone"))
  }
}
