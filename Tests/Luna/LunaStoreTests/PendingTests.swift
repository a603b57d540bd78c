import Diagnosis
import Foundation
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing

@testable import LunaStore

/// Onboardings whose end is not known.
struct PendingTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func record(_ number: UInt8) -> PendingOnboarding {
    PendingOnboarding(device: Samples.device(number), hint: ESF(value: 0x30_0800 | UInt32(number)))
  }

  @Test("They are kept over processes, in their order, and are not among the devices")
  func kept() async throws {
    let store = try place.store()
    try await store.addPending(record(1))
    try await store.addPending(record(2))
    #expect(try await store.allDevices().isEmpty)
    let again = try place.store()
    #expect(try await again.pendingOnboardings() == [record(1), record(2)])
    #expect(try await again.discardPending(record(1).device.uuid))
    #expect(try await !again.discardPending(record(1).device.uuid))
    #expect(try await store.pendingOnboardings() == [record(2)])
  }

  @Test("One becomes a device at once, with its name and the counters that were issued")
  func promoted() async throws {
    let store = try place.store()
    let uuid = record(1).device.uuid
    try await store.addPending(record(1))
    #expect(try await store.issueControlCounter(for: uuid, unixTime: 70) == 70)
    #expect(try await store.issueControlCounter(for: uuid, unixTime: 70) == 71)
    let device = try await store.promotePending(uuid, name: "Keys")
    #expect(device?.name == "Keys")
    #expect(device?.keys == record(1).device.keys)
    #expect(try await store.allDevices() == [device])
    #expect(try await store.pendingOnboardings().isEmpty)
    #expect(try await store.issueControlCounter(for: uuid, unixTime: 70) == 72)
    #expect(try await store.promotePending(uuid, name: nil) == nil)
  }

  @Test("A tracker that calls itself as a device does not take its place")
  func taken() async throws {
    let store = try place.store()
    let device = Samples.device(1, name: "mine")
    try await store.put([device])
    let error = await storeError { try await store.addPending(record(1)) }
    #expect(error?.reason.contains("already") == true)
    #expect(try await store.allDevices() == [device])
    #expect(try await store.pendingOnboardings().isEmpty)
  }

  @Test("Their keys are sealed with those of the devices")
  func sealed() async throws {
    let store = try place.store()
    try await store.addPending(record(1))
    try await store.seal(
      under: Samples.passphrase("one"), work: Scrypt(cost: 16, blockSize: 8, parallelization: 1))
    #expect(try await store.pendingOnboardings() == [record(1)])
    try await store.addPending(record(2))
    // The bytes of a key are all the same here, and are found in a file that is not sealed.
    for number: UInt8 in [1, 2] {
      let key = Data(repeating: number, count: 32)
      #expect(try place.contents().range(of: key) == nil, "the key of record \(number) is there")
    }
    let locked = try place.store()
    #expect(await storeError { _ = try await locked.pendingOnboardings() }?.kind == .locked)
    #expect(
      await storeError { _ = try await locked.promotePending(Samples.uuid(1), name: nil) }?.kind
        == .locked)
    try await store.unseal()
    #expect(try await place.store().pendingOnboardings() == [record(1), record(2)])
  }
}
