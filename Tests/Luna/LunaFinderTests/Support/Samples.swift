import Bluetooth
import LunaCore
import LunaProtocol

@testable import LunaFinder

enum Samples {
  static func lunaFrame(
    _ number: UInt64, isOnboardable: Bool = false, isConnectable: Bool = true
  ) -> LunaFrame {
    LunaFrame(
      isConnectable: isConnectable, isOnboardable: isOnboardable, isSeparated: false,
      keyRollingCounter: 7, eid: EID(value: number), aotp: AOTP(value: number + 1000),
      esf: ESF(value: 0xA77593))
  }

  static func frame(
    _ number: UInt64, isOnboardable: Bool = false, rssi: Int? = -60
  ) -> HeardFrame {
    HeardFrame(
      lunaFrame(number, isOnboardable: isOnboardable), from: peer(number), isConnectable: true,
      rssi: rssi)
  }

  static func peer(_ number: UInt64) -> GATTPeer {
    GATTPeer(BluetoothAddress(value: 0xC000_0000_0000 + number), .random)
  }

  /// What the sealer would make of a frame.
  static func heid(_ number: UInt64) -> HEID {
    guard var deriver = try? ReportKeyDeriver() else { return HEID(high: 0, low: 0) }
    let frame = lunaFrame(number)
    return deriver.heid(eid: frame.eid, aotp: frame.aotp)
  }

  /// A package for the tracker with this number; nobody can verify it.
  static func package(_ number: UInt64) -> ControlPackage {
    var bytes = [UInt8](repeating: 0, count: 44)
    bytes[0] = 1
    bytes[1] = 1
    let heid = heid(number).bytes
    for index in heid.indices { bytes[8 + index] = heid[index] }
    bytes[27] = 9
    guard let package = ControlPackage(bytes.span) else { preconditionFailure("44 bytes") }
    return package
  }

  static func request(
    _ id: String, _ numbers: [UInt64], expiresAt: Timestamp = Timestamp(microseconds: .max)
  ) -> CommandRequest {
    CommandRequest(requestID: id, expiresAt: expiresAt, packages: numbers.map(package))
  }

  static func report(_ payload: [UInt8], _ number: UInt64, at time: Timestamp) -> AdvertisingReport
  {
    var report = AdvertisingReport(
      time: time, adapter: 0, address: peer(number).address, addressType: .random,
      payload: AdvertisingPayload(payload), rssi: -61)
    report.setLegacyPDU(.advInd)
    return report
  }

  static func bytes(_ frame: LunaFrame) -> [UInt8] {
    let encoded = frame.encoded
    return encoded.indices.map { encoded[$0] }
  }

  static func bytes(_ frame: IBeaconFrame) -> [UInt8] {
    let encoded = frame.encoded
    return encoded.indices.map { encoded[$0] }
  }
}
