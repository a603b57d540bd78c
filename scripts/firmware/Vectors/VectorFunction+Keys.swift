import LunaCrypto
import LunaProtocol

/// What comes of the keys: identifiers, status, commands (PROTOCOL.md, 3, 8 and 12).
extension VectorFunction {
  static func answerSchedule(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let masterKey = try fields.masterKey()
    let period = UInt32(clamping: try fields.number())
    var schedule = try crypto { () throws(CryptoError) in try KeySchedule() }
    var reports = try crypto { () throws(CryptoError) in try ReportKeyDeriver() }
    let keys = schedule.keys(of: masterKey)
    guard let location = keys.location, let control = keys.control, let owner = keys.owner else {
      throw .input
    }
    let eid = schedule.eid(keys.identification, period: period)
    let aotp = schedule.aotp(location, period: period)
    let botp = schedule.botp(control, period: period)
    var answer = VectorAnswer()
    for key in [keys.identification, location, control, owner] { answer.put(secret: key) }
    answer.put(secret: schedule.interactiveControlKey(owner))
    answer.put(eid.bytes.span)
    answer.put(aotp.bytes.span)
    answer.put(secret: botp)
    answer.put(reports.prk(eid: eid, aotp: aotp).span)
    answer.put(reports.heid(eid: eid, aotp: aotp).bytes.span)
    answer.put(reports.expand("loc").span)
    answer.put(reports.expand("nonce").span)
    answer.put(secret: schedule.statusKey(botp: botp))
    answer.put(secret: schedule.deferredControlKey(botp: botp))
    return answer
  }

  static func answerStatusSeal(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let botp = try fields.secret()
    guard let status = TrackerStatus(rawValue: UInt8(truncatingIfNeeded: try fields.number()))
    else { throw .rejected }
    var schedule = try crypto { () throws(CryptoError) in try KeySchedule() }
    var answer = VectorAnswer()
    answer.put(schedule.sealStatus(status, botp: botp).bytes.span)
    return answer
  }

  static func answerFactoryHint(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let code = try fields.code()
    let hint = try crypto { () throws(CryptoError) in try code.factoryHint() }
    var answer = VectorAnswer()
    answer.put(hint.bytes.span)
    return answer
  }

  static func answerControlAccept(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer
  {
    let key = try fields.optionalBytes()
    let package = try fields.bytes()
    var situation = ControlSituation(
      periodOnAir: UInt32(clamping: try fields.number()),
      lastCounter: UInt32(clamping: try fields.number()),
      clock: UInt32(clamping: try fields.number()))
    let (challenge, hint) = (try fields.optionalBytes(), try fields.number())
    if let challenge {
      guard challenge.count == 16 else { throw .input }
      situation.challenge = ControlChallenge(
        nonce: InlineArray { challenge[$0] }, clockHint: UInt32(clamping: hint))
    }
    situation.isBusy = try fields.flag()
    situation.isLimited = try fields.flag()
    var schedule = try crypto { () throws(CryptoError) in try KeySchedule() }
    var keys: TrackerKeys?
    if let key {
      guard let masterKey = MasterKey(SecretBytes(copying: key.span)) else { throw .input }
      keys = schedule.keys(of: masterKey)
    }
    var control = try crypto { () throws(CryptoError) in try ControlAuthenticator() }
    let verdict = control.judge(package.span, keys: keys, in: situation)
    var answer = VectorAnswer()
    answer.put(number: Int64(verdict.status.rawValue))
    answer.put(flag: verdict.execution != nil)
    answer.put(number: Int64(verdict.lastCounter))
    answer.put(number: Int64(verdict.clock))
    answer.put(verdict.receipt.span)
    return answer
  }

  static func answerReceiptBuild(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let masterKey = try fields.masterKey()
    let bytes = try fields.bytes()
    let number = UInt8(truncatingIfNeeded: try fields.number())
    let clock = UInt32(clamping: try fields.number())
    guard let package = ControlPackage(bytes.span), let status = ControlStatus(rawValue: number)
    else { throw .input }
    var schedule = try crypto { () throws(CryptoError) in try KeySchedule() }
    var control = try crypto { () throws(CryptoError) in try ControlAuthenticator() }
    let keys = schedule.keys(of: masterKey)
    var answer = VectorAnswer()
    do throws(MissingBranchError) {
      answer.put(try control.receipt(for: package, status: status, clock: clock, keys: keys).span)
    } catch { throw .input }
    return answer
  }
}
