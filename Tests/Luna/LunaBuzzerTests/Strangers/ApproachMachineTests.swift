import Bluetooth
import Testing

@testable import LunaBuzzer

struct ApproachMachineTests {
  private static let peer = GATTPeer(BluetoothAddress(value: 0xC0FF_EE00_0001), .random)

  private func heard(_ isConnectable: Bool?) -> ApproachMachine.Event {
    .heard(HeardTarget(Self.peer, isConnectable: isConnectable))
  }

  @Test func connectsWhenItMay() {
    var machine = ApproachMachine(limits: BuzzerLimits())
    #expect(machine.start() == .listen)
    #expect(machine.handle(.silence, at: .seconds(1)) == .listen)
    #expect(machine.handle(heard(false), at: .seconds(2)) == .listen)
    #expect(
      machine.handle(heard(true), at: .seconds(3)) == .connect(Self.peer, within: .seconds(8)))
    #expect(
      machine.handle(heard(nil), at: .seconds(145)) == .connect(Self.peer, within: .seconds(5)))
  }

  @Test func givesUpInTime() {
    var never = ApproachMachine(limits: BuzzerLimits())
    #expect(never.handle(.silence, at: .seconds(90)) == .finish(.unheard(.seconds(60))))
    var deaf = ApproachMachine(limits: BuzzerLimits())
    _ = deaf.handle(heard(false), at: .seconds(1))
    #expect(deaf.handle(heard(true), at: .seconds(150)) == .finish(.deaf(.seconds(150))))
    var failing = ApproachMachine(limits: BuzzerLimits())
    let error = GATTError(.outOfRange, during: "connect", "no answer")
    _ = failing.handle(heard(true), at: .seconds(1))
    #expect(failing.handle(.failed(error), at: .seconds(16)) == .listen, "at once")
    _ = failing.handle(heard(true), at: .seconds(17))
    #expect(failing.handle(.failed(error), at: .seconds(32)) == .pause(.milliseconds(500)))
    guard case .finish(let failure) = failing.handle(.paused, at: .seconds(150)) else {
      Issue.record("it went on")
      return
    }
    #expect(failure.kind == .unreachable)
  }

  @Test func endsAtWhatAgainDoesNotMend() {
    var machine = ApproachMachine(limits: BuzzerLimits())
    _ = machine.handle(heard(true), at: .zero)
    let lost = GATTError(.adapterLost, during: "connect", "gone")
    guard case .finish(let failure) = machine.handle(.failed(lost), at: .zero) else {
      Issue.record("it went on")
      return
    }
    #expect(failure.kind == .adapter)
    #expect(machine.handle(.stop, at: .zero) == .finish(.stopped))
  }
}
