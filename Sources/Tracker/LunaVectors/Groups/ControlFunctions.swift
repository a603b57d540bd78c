import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let controlFunctions: [String: Function] = [
    "controlBuild": { (machine, input) throws(VectorError) in
      let keys = machine.schedule.keys(of: try input.masterKey())
      guard let format = ControlFormat(rawValue: try input.integer("format")) else {
        throw .member("format")
      }
      guard let command = ControlCommand(rawValue: try input.integer("command")) else {
        throw .member("command")
      }
      let argument: UInt16 = try input.integer("argument")
      let counter: UInt32 = try input.integer("counter")
      let period: UInt32 = format == .deferred ? try input.integer("period") : 0
      let challenge = format == .interactive ? try challenge(of: input) : nil
      do throws(MissingBranchError) {
        let package =
          if let challenge {
            try machine.control.interactivePackage(
              command, argument: argument, counter: counter, challenge: challenge, keys: keys)
          } else {
            try machine.control.deferredPackage(
              command, argument: argument, counter: counter, period: period, keys: keys)
          }
        return ["package": .hex(package.bytes), "base64": .string(package.text)]
      } catch {
        throw .member("key \(error.rawValue)")
      }
    },
    "controlAccept": { (machine, input) throws(VectorError) in
      let keys =
        input.isNull("masterKey") ? nil : machine.schedule.keys(of: try input.masterKey())
      let situation = ControlSituation(
        periodOnAir: try input.integer("onAir"), lastCounter: try input.integer("lastCounter"),
        clock: try input.integer("trackerTime"),
        challenge: input.isNull("challenge") ? nil : try challenge(of: input),
        isBusy: try input.bool("busy"), isLimited: try input.bool("limited"))
      let package = try input.bytes("package")
      let verdict = machine.control.judge(package.span, keys: keys, in: situation)
      return [
        "status": .number(verdict.status.rawValue), "executed": .bool(verdict.execution != nil),
        "lastCounter": .number(verdict.lastCounter), "trackerTime": .number(verdict.clock),
        "receipt": .hex(verdict.receipt),
      ]
    },
    "receiptBuild": { (machine, input) throws(VectorError) in
      let keys = machine.schedule.keys(of: try input.masterKey())
      let package = try input.package()
      guard let status = ControlStatus(rawValue: try input.integer("status")) else {
        throw .member("status")
      }
      let clock: UInt32 = try input.integer("trackerTime")
      do throws(MissingBranchError) {
        let receipt = try machine.control.receipt(
          for: package, status: status, clock: clock, keys: keys)
        return ["receipt": .hex(receipt), "base64": .string(Base64.encode(receipt.span))]
      } catch {
        throw .member("key \(error.rawValue)")
      }
    },
    "receiptVerify": { (machine, input) throws(VectorError) in
      let keys = machine.schedule.keys(of: try input.masterKey())
      let package = try input.package()
      let answer = try input.bytes("receipt")
      do throws(ReceiptRejection) {
        let receipt = try machine.control.verify(answer.span, for: package, keys: keys)
        return ["status": .number(receipt.statusCode), "time": .number(receipt.clock)]
      } catch {
        return .reject(error.rawValue)
      }
    },
  ]

  private static func challenge(of input: VectorInput) throws(VectorError) -> ControlChallenge {
    ControlChallenge(
      nonce: try input.bytes("challenge"),
      clockHint: try input.integer("clockHint", as: UInt32.self))
  }
}
