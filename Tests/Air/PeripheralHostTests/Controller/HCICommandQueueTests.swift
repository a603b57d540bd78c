import Bluetooth
import Testing

@testable import PeripheralHost

@Suite struct HCICommandQueueTests {
  private let first = HCICommand(0x200C, [1, 0])
  private let second = HCICommand(0x2001)

  /// Command Complete of success: code, length | commands allowed, opcode 2, status.
  private func complete(_ opcode: UInt16, allowed: UInt8 = 1) -> HCICommandReply {
    reply([0x0E, 0x04, allowed] + opcode.octets + [0x00])
  }

  /// Command Status: code, length | status, commands allowed, opcode 2.
  private func status(_ opcode: UInt16, _ status: UInt8 = 0, allowed: UInt8 = 1) -> HCICommandReply
  {
    reply([0x0F, 0x04, status, allowed] + opcode.octets)
  }

  private func reply(_ bytes: [UInt8]) -> HCICommandReply {
    guard let reply = HCICommandReply(event: bytes.span) else { fatalError("no reply") }
    return reply
  }

  @Test func sendsOneAfterTheOther() {
    var queue = HCICommandQueue()
    #expect(queue.next() == nil && !queue.isBusy)
    #expect([queue.add(first, as: 1), queue.add(second, as: 2)] == [true, true])
    #expect(queue.next() == first)
    #expect(queue.next() == nil && queue.isBusy)
    #expect(queue.receive(complete(second.opcode)) == nil)
    #expect(queue.next() == nil)
    #expect(queue.receive(complete(first.opcode)) == 1)
    #expect(queue.next() == second)
    #expect(queue.receive(complete(second.opcode)) == 2)
    #expect(!queue.isBusy)
  }

  @Test func waitsForLeave() {
    var queue = HCICommandQueue()
    #expect([queue.add(first, as: 1), queue.add(second, as: 2)] == [true, true])
    #expect(queue.next() == first)
    #expect(queue.receive(complete(first.opcode, allowed: 0)) == 1)
    #expect(queue.next() == nil && queue.isBusy)
    // No command: leave is given.
    #expect(queue.receive(reply([0x0E, 0x03, 0x01, 0x00, 0x00])) == nil)
    #expect(queue.next() == second)
  }

  @Test func doesNotTakeAStatusForTheEnd() {
    var queue = HCICommandQueue()
    #expect(queue.add(first, as: 1) == true)
    #expect(queue.next() == first)
    #expect(queue.receive(status(first.opcode)) == nil)
    #expect(queue.receive(complete(first.opcode)) == 1)
  }

  @Test func takesARefusalForTheEnd() {
    var queue = HCICommandQueue()
    #expect(queue.add(first, as: 1) == true)
    #expect(queue.next() == first)
    #expect(queue.receive(status(first.opcode, 0x01)) == 1)
  }

  @Test func takesAStatusForTheAnswerWhereItIsOne() {
    var queue = HCICommandQueue()
    let create = HCICommand(HCIOpcode.leCreateConnection)
    #expect([queue.add(create, as: 1), queue.add(second, as: 2)] == [true, true])
    #expect(queue.next() == create)
    #expect(queue.receive(status(create.opcode)) == 1)
    #expect(queue.next() == second)
  }

  @Test func goesOnAfterSilence() {
    var queue = HCICommandQueue()
    #expect([queue.add(first, as: 1), queue.add(second, as: 2)] == [true, true])
    #expect(queue.next() == first)
    #expect(queue.timedOut() == 1)
    #expect(queue.next() == second)
    #expect(queue.receive(complete(second.opcode, allowed: 0)) == 2)
    #expect(queue.add(first, as: 3) == true)
    #expect(queue.next() == nil)
    // Leave never came.
    #expect(queue.timedOut() == 3)
    #expect(queue.timedOut() == nil)
  }

  @Test func hasAnEnd() {
    var queue = HCICommandQueue()
    for number in 0..<HCICommandQueue.capacity { #expect(queue.add(first, as: number) == true) }
    #expect(queue.add(first, as: 99) == false)
  }
}
