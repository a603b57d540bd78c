import Diagnosis
import LunaCore
import LunaProtocol

/// A store on a disk that is full when it is to keep an onboarding, or to make a device of one.
final class FullStore: ForwardingStore {
  private let inner = InMemoryDeviceStore()
  private let refusesPending: Bool
  private let refusesPromotion: Bool

  init(pending: Bool = false, promotion: Bool = false) {
    refusesPending = pending
    refusesPromotion = promotion
  }

  private static let full = DeviceStoreError(.full, "the disk is full", remedy: "free some space")

  func opened() -> any DeviceStore { inner }

  func addPending(_ pending: PendingOnboarding) async throws(DeviceStoreError) {
    guard !refusesPending else { throw FullStore.full }
    try inner.addPending(pending)
  }

  func promotePending(_ uuid: DeviceUUID, name: String?) async throws(DeviceStoreError) -> Device? {
    guard !refusesPromotion else { throw FullStore.full }
    return inner.promotePending(uuid, name: name)
  }
}
