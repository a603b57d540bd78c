import Bluetooth
import LunaCore
import LunaCrypto
import LunaDocuments
import LunaProtocol
import Testing

@Suite struct DeviceDocumentTests {
  /// A beacon that was heard in period 43, and whose clock showed 1000 when it was imported.
  private func beacon() throws -> DeviceDocument {
    let secret = [UInt8](repeating: 5, count: 16)
    let keys = try #require(
      EddystoneKeys(identityKey: SecretBytes(copying: secret.span), exponent: 10, counter: 1000))
    let uuid = try #require(DeviceUUID("0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F"))
    let device = Device(
      uuid: uuid, keys: .eddystoneEID(keys), onboardingTimestamp: Timestamp(microseconds: 0),
      name: "Beacon")
    let sighting = Sighting(
      device: uuid, receivedAt: Timestamp(microseconds: 0),
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), eid: [1, 2], period: 43)
    return DeviceDocument(device: device, sighting: sighting)
  }

  private func line(revealing: Bool) throws -> String {
    let output = OutputBuffer()
    try beacon().append("device", revealing: revealing, to: output)
    return String(decoding: output.take(), as: UTF8.self)
  }

  @Test func hasEachNameOnce() throws {
    #expect(try line(revealing: false).contains(#""counter":43"#))
    let revealing = try line(revealing: true)
    #expect(revealing.contains(#""exponent":10,"counter":1000}"#))
    #expect(revealing.ranges(of: #""counter":"#).count == 1)
  }

  @Test func namesWhatBelongsToTheKeys() throws {
    #expect(try beacon().keys.map(\.label) == ["identityKey", "exponent", "counter"])
    #expect(try beacon().keys.last?.value == "1000")
  }
}
