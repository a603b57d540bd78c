import Bluetooth
import Testing

@testable import LunaBuzzer

/// The bytes of each protocol, as their sources give them.
struct NonOwnerRulesTests {
  @Test func asksByDULT() {
    #expect(DULTRules.request(DULTOpcode.soundStart) == [0x00, 0x03])
    #expect(DULTRules.request(DULTOpcode.soundStop) == [0x01, 0x03])
    #expect(DULTRules.request(DULTOpcode.getIdentifier) == [0x04, 0x04])
    #expect(DULTRules.service.description == "15190001-12F4-C226-88ED-2AC5579F2A85")
    #expect(DULTRules.characteristic.description == "8E0C0001-1D68-FB92-BF61-48377421680E")
  }

  @Test func asksByFindMy() {
    #expect(FindMyRules.request(DULTOpcode.soundStart) == [0x01, 0x00, 0x03])
    #expect(FindMyRules.request(DULTOpcode.soundStop) == [0x01, 0x01, 0x03])
    #expect(FindMyRules.service.description == "FD44")
    #expect(FindMyRules.characteristic.description == "4F860003-943B-49EF-BED4-2F730304427A")
  }

  @Test func asksAnAirTag() {
    #expect(AirTagRules.request(DULTOpcode.soundStart) == [0xAF])
    #expect(AirTagRules.request(DULTOpcode.soundStop) == nil)
    #expect(AirTagRules.service.description == "7DFC9000-7D1C-4951-86AA-8D9728F8D66C")
    #expect(AirTagRules.characteristic.description == "7DFC9001-7D1C-4951-86AA-8D9728F8D66C")
    #expect(AirTagRules.message([0x02, 0x03, 0x00, 0x03, 0x00, 0x00]) == nil)
  }

  static let statuses: [([UInt8], NonOwnerStatus, String)] = [
    ([0, 0], .success, "Success"), ([1, 0], .invalidState, "Invalid_state"),
    ([2, 0], .invalidConfiguration, "Invalid_configuration"),
    ([3, 0], .invalidLength, "Invalid_length"), ([4, 0], .invalidParameter, "Invalid_param"),
    ([0xFF, 0xFF], .invalidCommand, "Invalid_command"),
    ([0x0A, 0x01], NonOwnerStatus(rawValue: 0x010A), "0x010A"),
  ]

  @Test(arguments: statuses)
  func readsResponses(bytes: [UInt8], status: NonOwnerStatus, name: String) {
    let message: [UInt8] = [0x02, 0x03, 0x00, 0x03] + bytes
    #expect(DULTRules.message(message) == .response(to: 0x0300, status))
    #expect(FindMyRules.message([0x01] + message) == .response(to: 0x0300, status))
    #expect(status.description == name)
  }

  @Test func readsTheEndOfASound() {
    #expect(DULTRules.message([0x03, 0x03]) == .soundCompleted)
    #expect(FindMyRules.message([0x01, 0x03, 0x03]) == .soundCompleted)
  }

  @Test func takesNothingThatIsCutOff() {
    for bytes in [[], [0x02], [0x02, 0x03], [0x02, 0x03, 0x00, 0x03, 0x00]] as [[UInt8]] {
      #expect(DULTRules.message(bytes) == nil)
      #expect(FindMyRules.message([0x01] + bytes) == nil)
    }
    // A fragment that is not the last one says nothing yet.
    #expect(FindMyRules.message([0x00, 0x03, 0x03]) == nil)
  }

  private func offered(_ protocols: NonOwnerProtocol...) -> [GATTCharacteristic] {
    protocols.enumerated().map { index, kind in
      GATTCharacteristic(
        service: kind.rules.service, uuid: kind.rules.characteristic, properties: [.write],
        handle: UInt16(index + 1))
    }
  }

  @Test func takesTheBestOfThoseOffered() {
    #expect(NonOwnerProtocol.find(in: offered(.airTag, .appleFindMy, .dult))?.0 == .dult)
    #expect(NonOwnerProtocol.find(in: offered(.airTag, .appleFindMy))?.0 == .appleFindMy)
    #expect(NonOwnerProtocol.find(in: offered(.airTag))?.0 == .airTag)
    #expect(NonOwnerProtocol.find(in: []) == nil)
    // bluetoothd writes short UUIDs in full.
    let long = GATTCharacteristic(
      service: .bit128(high: 0x0000_FD44_0000_1000, low: 0x8000_0080_5F9B_34FB),
      uuid: FindMyRules.characteristic, properties: [.write], handle: 3)
    #expect(NonOwnerProtocol.find(in: [long])?.0 == .appleFindMy)
  }
}
