import Bluetooth
import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let frameFunctions: [String: Function] = [
    "ibeaconEncode": { (_, input) throws(VectorError) in
      let frame = IBeaconFrame(
        region: try region(.string(try input.string("regionUuid"))),
        heidPrefix: try input.heid().prefix, measuredPower: try input.integer("power"))
      return ["adv": .hex(frame.encoded)]
    },
    "ibeaconDecode": { (_, input) throws(VectorError) in
      var regions: [BluetoothUUID] = []
      for element in try input.array("regions") { regions.append(try region(element)) }
      let bytes = try input.bytes("adv")
      do throws(IBeaconFrameRejection) {
        let frame = try IBeaconFrame(advertisingData: bytes.span, regions: regions)
        return [
          "region": .number(regions.firstIndex(of: frame.region)),
          "heidPrefix": .hex(frame.encoded.span.extracting(25..<29)),
          "power": .number(frame.measuredPower),
        ]
      } catch {
        return .reject(error.rawValue)
      }
    },
    "bleEncode": { (_, input) throws(VectorError) in
      let counter: UInt32 = try input.integer("counter")
      let frame = LunaFrame(
        companyIdentifier: try input.integer("manufacturerId"),
        isConnectable: try input.bool("connectable"),
        isOnboardable: try input.bool("onboardable"), isSeparated: try input.bool("separated"),
        keyRollingCounter: UInt8(truncatingIfNeeded: counter), eid: try input.eid(),
        aotp: try input.aotp(), esf: try input.esf())
      return ["adv": .hex(frame.encoded)]
    },
    "bleDecode": { (machine, input) throws(VectorError) in
      var companies: [UInt16] = []
      for element in try input.array("companies") {
        guard case .integer(let number) = element, let company = UInt16(exactly: number) else {
          throw .member("companies")
        }
        companies.append(company)
      }
      let bytes = try input.bytes("adv")
      do throws(LunaFrameRejection) {
        let frame = try LunaFrame(advertisingData: bytes.span, companies: companies)
        return [
          "manufacturerId": .number(frame.companyIdentifier),
          "protocolVersion": .number(LunaFrame.protocolVersion),
          "connectable": .bool(frame.isConnectable), "onboardable": .bool(frame.isOnboardable),
          "separated": .bool(frame.isSeparated),
          "keyRollingCounterLow": .number(frame.keyRollingCounter), "eid": .text(frame.eid),
          "aotp": .string(frame.aotp.revealed), "esf": .text(frame.esf),
          "heid": .text(machine.reports.heid(eid: frame.eid, aotp: frame.aotp)),
        ]
      } catch {
        return .reject(error.rawValue)
      }
    },
  ]

  private static func region(_ value: JSONValue) throws(VectorError) -> BluetoothUUID {
    guard case .string(let text) = value, let uuid = BluetoothUUID(text) else {
      throw .member("region UUID")
    }
    return uuid
  }
}
