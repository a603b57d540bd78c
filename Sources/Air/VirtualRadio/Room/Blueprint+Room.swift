import Bluetooth

/// Who is always in the room; LunaTrackers come as guests. The layouts are those of the families in the module Beacons.
extension Blueprint {
  static let room: [Blueprint] = [
    txPower, separatedAirTag, nearbyAirTag, tile, smartTag, findHub,
    dult, eddystone, eddystoneURL, altBeacon, sensor, display, phone,
  ]

  /// A device with the Tx Power service, which is also what a LunaTracker lists.
  private static let txPower = Blueprint(
    addressKind: .public, interval: 1000,
    data: { _ in
      flags + structure(0x03, [0x04, 0x18]) + structure(0x16, [0x04, 0x18, 0x04])
    })

  private static let separatedAirTag = Blueprint(
    interval: 2000, rotation: 86_400, accessory: .airTag, isSeparated: true,
    data: { moment in
      let status: UInt8 = 0x10
      return structure(
        0xFF,
        [0x4C, 0x00, 0x12, 0x19, status] + moment.identity[..<22]
          + [moment.identity[22] & 3, moment.identity[23]])
    })

  /// Soon changes its address, so that this can be watched.
  private static let nearbyAirTag = Blueprint(
    interval: 2000, rotation: 900, firstRotation: 30, accessory: .airTag,
    data: { moment in
      structure(0xFF, [0x4C, 0x00, 0x12, 0x02, 0x54, moment.identity[0] & 3])
    })

  /// Keeps its address while its identifier changes.
  private static let tile = Blueprint(
    interval: 2000, rotation: 900, rotatesAddress: false,
    data: { moment in
      flags + structure(0x03, [0xED, 0xFE])
        + structure(0x16, [0xED, 0xFE, 0x02, 0x00] + moment.identity[..<8])
    })

  private static let smartTag = Blueprint(
    interval: 2000, rotation: 900,
    data: { moment in
      let aging = UInt32(truncatingIfNeeded: 200_000 + moment.elapsed / 900_000_000)
      let counter = (0..<3).map { UInt8(truncatingIfNeeded: aging >> UInt32(8 * $0)) }
      return structure(0x01, [0x04])
        + structure(
          0x16,
          [0x5A, 0xFD, 0x13] + counter + moment.identity[..<8] + [0x27, 0, 0, 0]
            + moment.identity[8..<12])
    })

  private static let findHub = Blueprint(
    interval: 2000, rotation: 1024,
    data: { moment in
      flags + structure(0x16, [0xAA, 0xFE, 0x41] + moment.identity[..<21])
    })

  private static let dult = Blueprint(
    interval: 2000, rotation: 86_400, accessory: .dult, isSeparated: true,
    data: { moment in
      flags + structure(0x16, [0xB2, 0xFC, 0x02, 0x00] + moment.identity[..<20])
    })

  /// Identifier, identifier, telemetry, and again.
  private static let eddystone = Blueprint(
    pdu: .advNonconnInd, interval: 700,
    data: { moment in
      var frame: [UInt8]
      if moment.count % 3 < 2 {
        frame = [0x00, 0xEE] + moment.identity[..<16] + [0x00, 0x00]
      } else {
        func bytes(_ value: Int64) -> [UInt8] {
          (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        // 2,941 mV; around 21 °C.
        let temperature: [UInt8] = [0x15, UInt8(truncatingIfNeeded: moment.elapsed / 1_000_000)]
        frame =
          [0x20, 0x00, 0x0B, 0x7D] + temperature + bytes(Int64(moment.count))
          + bytes(moment.elapsed / 100_000)
      }
      return flags + structure(0x03, [0xAA, 0xFE]) + structure(0x16, [0xAA, 0xFE] + frame)
    })

  /// https://example.com/
  private static let eddystoneURL = Blueprint(
    pdu: .advNonconnInd, addressKind: .public, interval: 700,
    data: { _ in
      flags + structure(0x03, [0xAA, 0xFE])
        + structure(0x16, [0xAA, 0xFE, 0x10, 0xEB, 0x03] + Array("example".utf8) + [0x00])
    })

  private static let altBeacon = Blueprint(
    pdu: .advNonconnInd, interval: 1000,
    data: { moment in
      flags + structure(0xFF, [0x18, 0x01, 0xBE, 0xAC] + moment.identity[..<20] + [0xC5, 0x00])
    })

  /// Tells its name to those who ask.
  private static let sensor = Blueprint(
    addressKind: .public, interval: 1000,
    data: { moment in
      flags + structure(0x03, [0x1A, 0x18, 0x0F, 0x18])
        + structure(0x16, [0x0F, 0x18, 0x5B]) + structure(0x19, [0x00, 0x03])
    },
    scanResponse: { _ in structure(0x09, Array("Thermometer".utf8)) + structure(0x0A, [0x04]) })

  /// Extended advertising: more than a legacy PDU can hold.
  private static let display = Blueprint(
    pdu: .advExtInd, interval: 1500,
    data: { moment in
      flags + structure(0x09, Array("Room display".utf8))
        + structure(0xFF, [0x59, 0x00] + moment.identity + moment.identity)
    })

  /// A phone nearby: no beacon.
  private static let phone = Blueprint(
    addressKind: .resolvable, interval: 300, rotation: 900,
    data: { moment in
      structure(0x01, [0x1A]) + structure(0x0A, [0x0C])
        + structure(0xFF, [0x4C, 0x00, 0x10, 0x05, 0x18] + moment.identity[..<4])
    })
}
