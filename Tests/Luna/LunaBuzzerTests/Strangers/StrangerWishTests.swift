import Bluetooth
import Diagnosis
import Testing

@testable import LunaBuzzer

/// What an advertisement says is not asked in vain.
@Suite struct StrangerWishTests {
  private static let smartTag: [UInt8] =
    [0x17, 0x16, 0x5A, 0xFD, 0x15, 0x01, 0x02, 0x03] + Array(repeating: 0xAB, count: 16)
  private static let tile: [UInt8] = [0x03, 0x03, 0xED, 0xFE]
  private static let chipolo: [UInt8] = [0x03, 0x03, 0x33, 0xFE]
  private static let pebblebee: [UInt8] = [0x03, 0x03, 0x25, 0xFA]
  /// In Apple's network, away from its owner.
  private static let findMy: [UInt8] =
    [0x1E, 0xFF, 0x4C, 0x00, 0x12, 0x19, 0x10] + Array(repeating: 0x21, count: 24)
  private static let dult: [UInt8] = [0x05, 0x16, 0xB2, 0xFC, 0x01, 0x01]
  private static let altBeacon: [UInt8] =
    [0x1B, 0xFF, 0x18, 0x01, 0xBE, 0xAC] + Array(repeating: 0x11, count: 22)

  private func refusal(_ wish: StrangerWish, _ bytes: [UInt8]) -> BuzzerError? {
    let report = AdvertisingReport(
      time: .unknown, adapter: nil, address: BluetoothAddress(value: 0xC0_FFEE_0000_01),
      addressType: .random, payload: AdvertisingPayload(bytes), rssi: nil)
    do throws(BuzzerError) {
      try wish.check(report)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [smartTag, tile, chipolo, pebblebee], [StrangerWish.ring, .identify])
  func refusedWhereOnlyTheAppIsObeyed(bytes: [UInt8], wish: StrangerWish) throws {
    let error = try #require(refusal(wish, bytes))
    #expect(error.kind == .notOffered)
    #expect(error.reason.contains("app"), "\(error)")
  }

  @Test(
    arguments: [findMy, dult, altBeacon, [], [0x02, 0x01, 0x06]], [StrangerWish.ring, .identify])
  func askedWhereItMayObey(bytes: [UInt8], wish: StrangerWish) {
    #expect(refusal(wish, bytes) == nil)
  }

  /// A tracker of two networks: the one that lets strangers ring it counts.
  @Test func askedWhereOneOfItsNetworksAllowsIt() {
    #expect(refusal(.ring, StrangerWishTests.tile + StrangerWishTests.dult) == nil)
    #expect(refusal(.ring, StrangerWishTests.dult + StrangerWishTests.tile) == nil)
  }
}
