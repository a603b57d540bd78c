import Bluetooth
import Diagnosis
import Foundation
import LunaCore
import LunaCrypto
import LunaProtocol
import LunaStore
import LunaTesting
import Testing

struct SealingTests {
  private let place: Workplace
  private let cheap = Scrypt(cost: 16, blockSize: 8, parallelization: 1)

  init() throws { place = try Workplace() }

  private func open(_ passphrase: String?) throws -> SQLiteDeviceStore {
    try SQLiteDeviceStore(in: place.state) { passphrase.map { Samples.passphrase($0) } }
  }

  @Test func sealsAndOpens() async throws {
    let devices = Samples.oneOfEach(alignedAt: Timestamp(microseconds: -5))
    let store = try place.store()
    try await store.put(devices)
    try await store.seal(under: Samples.passphrase("correct horse"), work: cheap)
    #expect(try await store.isSealed())
    #expect(try await store.allDevices() == devices)
    let other = try open("correct horse")
    #expect(try await other.allDevices() == devices)
    try await other.put(Samples.device(99))
    #expect(try await store.allDevices().count == devices.count + 1)
  }

  @Test func leavesNoKeyInAnyFile() async throws {
    let pattern = Data(repeating: 0x5A, count: 32)
    func traces() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: place.state.path).count {
        try Data(contentsOf: URL(fileURLWithPath: "\(place.state.path)/\($0)"))
          .range(of: pattern) != nil
      }
    }
    do {
      let store = try place.store()
      try await store.put(Samples.device(0x5A))
      #expect(try await store.allDevices().count == 1)
    }
    #expect(try traces() > 0)
    do {
      let store = try place.store()
      try await store.seal(under: Samples.passphrase("x"), work: cheap)
      try await store.put(Samples.device(0x5A, name: "again"))
    }
    #expect(try traces() == 0)
  }

  @Test func refusesWithoutThePassphrase() async throws {
    let store = try place.store()
    try await store.put(Samples.device(1))
    try await store.seal(under: Samples.passphrase("x"), work: cheap)
    let wrong = await storeError { _ = try open("y") }
    #expect(wrong?.kind == .locked)
    let without = try open(nil)
    for error in [
      await storeError { _ = try await without.allDevices() },
      await storeError { try await without.put(Samples.device(2)) },
      await storeError { try await without.unseal() },
    ] {
      #expect(error?.kind == .locked)
      #expect(error?.remedy?.steps == [.passphrase])
    }
    // What needs no key goes on.
    #expect(try await without.rename(Samples.uuid(1), to: "bag"))
    #expect(try await without.issueControlCounter(for: Samples.uuid(1), unixTime: 4) == 4)
  }

  @Test func changesAndRemovesThePassphrase() async throws {
    let store = try place.store()
    try await store.put(Samples.device(1))
    try await store.seal(under: Samples.passphrase("old"), work: cheap)
    let other = try open("old")
    try await store.seal(under: Samples.passphrase("new"), work: cheap)
    #expect(await storeError { _ = try open("old") }?.kind == .locked)
    #expect(await storeError { _ = try await other.allDevices() }?.kind == .locked)
    #expect(await storeError { try await other.put(Samples.device(2)) }?.kind == .locked)
    #expect(try await open("new").allDevices() == [Samples.device(1)])
    try await store.unseal()
    #expect(try await place.store().allDevices() == [Samples.device(1)])
    #expect(try await other.allDevices() == [Samples.device(1)])
  }

  /// A process that runs on while another one seals must not add unsealed keys.
  @Test func noticesThatAnotherProcessSealed() async throws {
    let (store, other) = (try place.store(), try place.store())
    try await other.put(Samples.device(1))
    try await store.seal(under: Samples.passphrase("x"), work: cheap)
    #expect(await storeError { try await other.put(Samples.device(2)) }?.kind == .locked)
    #expect(try await store.allDevices().count == 1)
  }
}
