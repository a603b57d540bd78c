import Bluetooth
import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let trackerFunctions: [String: Function] = [
    "rotation": { (_, input) throws(VectorError) in
      let clock: Int64 = try input.integer("trackerMs")
      let period = Rotation.periodOnAir(
        clock: clock, delay: try input.integer("jitterMs"),
        minimumPeriod: try input.integer("minPeriod"))
      return [
        "target": .number(Period.number(at: clock)), "onAir": .number(period),
        "keyRollingCounterLow": .number(period & 0xFF),
      ]
    },
    "boot": { (_, input) throws(VectorError) in
      let clock: Int64? = try input.bool("clockKept") ? try input.integer("clockMs") : nil
      let restart = TrackerRestart(storedPeriod: try input.integer("stored"), clock: clock)
      return [
        "clockMs": .number(restart.clock), "minPeriod": .number(restart.minimumPeriod),
        "clockUncertain": .bool(restart.isClockUncertain),
      ]
    },
    "mode": { (_, input) throws(VectorError) in
      let slot = ModeSchedule.slot(
        clock: try input.integer("trackerMs"), phase: try input.integer("phaseMs"))
      return [
        "mode": .string(slot.mode.rawValue), "region": .number(slot.region),
        "connectable": .bool(slot.isConnectable),
      ]
    },
    "address": { (_, input) throws(VectorError) in
      guard let address = TrackerAddress.randomStatic(try input.bytes("random")) else {
        return .reject("redraw")
      }
      return ["address": .string(address.description.lowercased())]
    },
  ]
}
