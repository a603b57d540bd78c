import Bluetooth
import EventLoop
import Glibc
import Synchronization
import Testing

@testable import BlueZ

/// What is done to an adapter to bring it back, and to which it is not done.
@Suite(.timeLimit(.minutes(10)))
struct AdapterRepairTests {
  private static let adapter = "/sys/class/bluetooth/hci0"
  private static let port = "/sys/bus/usb/devices/1-1.4"

  private func repair(_ kernel: FakeKernel, knowing index: UInt16? = 0) -> AdapterRepair {
    let target = AdapterTarget(nil)
    if let index { target.found(index, FakeAdapter().address) }
    return AdapterRepair(reactor: Reactor(name: "repair"), host: kernel, target: target)
  }

  private func kernel(
    settings: UInt32 = 1 << 9 | 1, _ prepare: (inout FakeKernel.State) -> Void = { _ in }
  ) -> FakeKernel {
    FakeKernel([
      0: FakeAdapter(settings: settings), 1: FakeAdapter(address: .init(value: 0x42)),
    ]) { state in
      for directory in ["\(AdapterRepairTests.adapter)/device/..", AdapterRepairTests.port] {
        state.files["\(directory)/busnum"] = "1"
        state.files["\(directory)/devnum"] = "14"
        state.files["\(directory)/idVendor"] = "0a12"
        state.files["\(directory)/idProduct"] = "0001"
      }
      state.links["\(AdapterRepairTests.adapter)/device"] = "../../../1-1.4:1.0"
      prepare(&state)
    }
  }

  /// What the kernel was told to do with each adapter's power.
  private func powers(_ kernel: FakeKernel) -> [FakeKernel.Command] {
    kernel.state.withLock { $0.commands.filter { $0.opcode == MgmtOpcode.setPowered } }
  }

  @Test func switchesTheAdapterOffAndOn() async {
    let kernel = kernel()
    #expect(await repair(kernel).take(.power) == nil)
    #expect(powers(kernel).map(\.parameters) == [[0], [1]])
    #expect(powers(kernel).allSatisfy { $0.index == 0 })
  }

  @Test func onlySwitchesOnWhatIsOff() async {
    let kernel = kernel(settings: 1 << 9)
    #expect(await repair(kernel).take(.power) == nil)
    #expect(powers(kernel).map(\.parameters) == [[1]])
  }

  @Test func findsTheAdapterUnderItsNewNumber() async {
    let kernel = kernel()
    kernel.state.withLock { state in
      state.adapters[7] = state.adapters.removeValue(forKey: 0)
    }
    #expect(await repair(kernel).take(.power) == nil)
    #expect(Set(powers(kernel).map(\.index)) == [7])
  }

  @Test func takesTheInterfaceDownAndUp() async {
    let kernel = kernel()
    #expect(await repair(kernel).take(.interface) == nil)
    #expect(kernel.state.withLock(\.steps) == ["down hci0", "up hci0"])
  }

  @Test func resetsTheDevice() async {
    let kernel = kernel()
    #expect(await repair(kernel).take(.usb) == nil)
    #expect(kernel.state.withLock(\.steps) == ["reset /dev/bus/usb/001/014"])
  }

  @Test func resetsTheDeviceOfAnAdapterThatIsGone() async {
    let kernel = kernel()
    let repair = repair(kernel)
    await repair.remember()
    kernel.state.withLock { state in
      // Its number has changed, its port has not.
      state.adapters[0] = nil
      state.links = [:]
      state.files["\(AdapterRepairTests.port)/devnum"] = "15"
    }
    #expect(await repair.take(.usb) == nil)
    #expect(kernel.state.withLock(\.steps) == ["reset /dev/bus/usb/001/015"])
  }

  @Test func resetsNothingElseInItsPort() async {
    let kernel = kernel()
    let repair = repair(kernel)
    await repair.remember()
    kernel.state.withLock { state in
      state.links = [:]
      state.files["\(AdapterRepairTests.port)/idProduct"] = "0002"
    }
    #expect(await repair.take(.usb)?.reason.contains("1-1.4") == true)
    #expect(kernel.state.withLock(\.steps) == [])
  }

  @Test func saysWhatHasNoDevice() async {
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)])
    #expect(await repair(kernel).take(.usb) == StepProblem("it is not connected by USB"))
  }

  @Test func saysWhatTheKernelRefuses() async {
    let kernel = kernel { $0.stepErrors["reset /dev/bus/usb/001/014"] = EACCES }
    #expect(await repair(kernel).take(.usb)?.reason.contains("Permission denied") == true)
  }

  /// Who may not take it down has changed nothing; one that does not come up is off.
  @Test(arguments: [("down hci0", false), ("up hci0", true)])
  func knowsWhetherTheInterfaceWasTouched(_ call: String, hasBegun: Bool) async {
    let kernel = kernel { $0.stepErrors[call] = EPERM }
    #expect(await repair(kernel).take(.interface)?.hasBegun == hasBegun)
  }

  /// The kernel says no to whatever it is asked, or only to switch it on again.
  @Test(arguments: [false, true])
  func knowsWhetherThePowerWasTouched(hasBegun: Bool) async {
    let kernel = kernel { state in
      if !hasBegun { state.refusals[MgmtOpcode.setPowered] = .busy }
    }
    kernel.state.withLock { state in
      guard hasBegun else { return }
      state.onCommand = { [weak kernel] command in
        guard command.opcode == MgmtOpcode.setPowered, command.parameters == [0] else { return }
        kernel?.change(0) { $0.isBlocked = true }
      }
    }
    #expect(await repair(kernel).take(.power)?.hasBegun == hasBegun)
    #expect(powers(kernel).count == (hasBegun ? 2 : 1))
  }

  @Test(arguments: [RecoveryStep.Kind.power, .interface, .usb])
  func disturbsNoConnection(_ step: RecoveryStep.Kind) async {
    let kernel = kernel()
    kernel.change(0) { $0.connections = 1 }
    let problem = await repair(kernel).take(step)
    #expect(problem?.reason.contains("1 connection") == true && problem?.hasBegun == false)
    #expect(kernel.state.withLock(\.steps) == [] && powers(kernel).isEmpty)
  }

  private func block(_ kernel: FakeKernel, _ number: Int, _ soft: String, adapter: Int?) {
    kernel.state.withLock { state in
      for directory in ["/sys/class/rfkill"]
        + (adapter.map { ["/sys/class/bluetooth/hci\($0)"] } ?? [])
      {
        state.files["\(directory)/rfkill\(number)/type"] = "bluetooth"
        state.files["\(directory)/rfkill\(number)/soft"] = soft
        state.files["\(directory)/rfkill\(number)/hard"] = "0"
      }
    }
  }

  @Test func takesBackTheBlockOfThisAdapterAlone() async {
    let kernel = kernel()
    block(kernel, 3, "1", adapter: 0)
    block(kernel, 4, "0", adapter: 1)
    let repair = repair(kernel)
    #expect(repair.isBlocked)
    #expect(await repair.take(.rfkill) == nil)
    #expect(kernel.state.withLock(\.steps) == ["unblock 3"])
  }

  @Test func leavesABlockThatSomebodyHasSetMeanwhile() async {
    let kernel = kernel()
    block(kernel, 3, "0", adapter: 0)
    let repair = repair(kernel)
    await repair.remember()
    block(kernel, 3, "1", adapter: 0)
    #expect(await repair.take(.rfkill)?.reason.contains("somebody") == true)
    #expect(kernel.state.withLock(\.steps) == [])
  }

  @Test func leavesABlockOfAllAdapters() async {
    let kernel = kernel()
    block(kernel, 3, "1", adapter: 0)
    block(kernel, 4, "1", adapter: 1)
    #expect(await repair(kernel).take(.rfkill) == StepProblem("all Bluetooth adapters are blocked"))
    #expect(kernel.state.withLock(\.steps) == [])
  }
}
