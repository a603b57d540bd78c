import LunaCrypto
import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let keyFunctions: [String: Function] = [
    "schedule": { (machine, input) throws(VectorError) in
      let period: UInt32 = try input.integer("counter")
      let keys = machine.schedule.keys(of: try input.masterKey())
      guard let location = keys.location, let control = keys.control, let owner = keys.owner
      else { throw .member("masterKey") }
      let eid = machine.schedule.eid(keys.identification, period: period)
      let aotp = machine.schedule.aotp(location, period: period)
      let botp = machine.schedule.botp(control, period: period)
      let prk = machine.reports.prk(eid: eid, aotp: aotp)
      let heid = machine.reports.heid(eid: eid, aotp: aotp)
      return [
        "kid": .hex(keys.identification), "kao": .hex(location), "kbo": .hex(control),
        "kow": .hex(owner), "kint": .hex(machine.schedule.interactiveControlKey(owner)),
        "eid": .text(eid), "aotp": .string(aotp.revealed), "botp": .hex(botp), "prk": .hex(prk),
        "heid": .text(heid), "kloc": .hex(machine.reports.expand("loc")),
        "knon": .hex(machine.reports.expand("nonce")),
        "kesf": .hex(machine.schedule.statusKey(botp: botp)),
        "kctl": .hex(machine.schedule.deferredControlKey(botp: botp)),
      ]
    },
    "eddystoneEid": { (machine, input) throws(VectorError) in
      let key = try input.secret("identityKey")
      let counter: UInt32 = try input.integer("counter")
      let exponent: UInt8 = try input.integer("exponent")
      do throws(EddystoneEIDRejection) {
        return [
          "eid": .text(try machine.eddystone.eid(key, counter: counter, exponent: exponent))
        ]
      } catch {
        return .reject(error.rawValue)
      }
    },
  ]
}
