import LunaCrypto
import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let statusFunctions: [String: Function] = [
    "esfSeal": { (machine, input) throws(VectorError) in
      guard let status = TrackerStatus(rawValue: try input.integer("status")) else {
        return .reject("status")
      }
      return ["esf": .text(machine.schedule.sealStatus(status, botp: try input.secret("botp")))]
    },
    "esfOpen": { (machine, input) throws(VectorError) in
      let esf = try input.bytes("esf")
      let botp = try input.secret("botp")
      do throws(ESFRejection) {
        let status = try machine.schedule.openStatus(esf.span, botp: botp)
        return [
          "status": .number(status.rawValue), "battery": .number(status.battery.rawValue),
          "batteryLow": .bool(status.battery.isLow ?? false),
          "connectable": .bool(status.isConnectable), "separated": .bool(status.isSeparated),
          "sounding": .bool(status.isSounding), "clockUncertain": .bool(status.isClockUncertain),
          "fault": .bool(status.hasFault),
        ]
      } catch {
        return .reject(error.rawValue)
      }
    },
    "factoryHint": { (_, input) throws(VectorError) in
      let code = try input.code()
      return ["esf": .text(try crypto { () throws(CryptoError) in try code.factoryHint() })]
    },
  ]
}
