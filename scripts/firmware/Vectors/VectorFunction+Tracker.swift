import Bluetooth
import LunaProtocol

/// When a tracker shows what, and its frames (PROTOCOL.md, 4 to 7).
extension VectorFunction {
  static func answerRotation(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let (clock, delay) = (try fields.number(), try fields.number())
    let minimum = UInt32(clamping: try fields.number())
    let period = Rotation.periodOnAir(clock: clock, delay: delay, minimumPeriod: minimum)
    var answer = VectorAnswer()
    answer.put(number: Int64(Period.number(at: clock)))
    answer.put(number: Int64(period))
    answer.put(number: Int64(period & 0xFF))
    return answer
  }

  static func answerBoot(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let stored = UInt32(clamping: try fields.number())
    let isKept = try fields.flag()
    let clock = try fields.number()
    let restart = TrackerRestart(storedPeriod: stored, clock: isKept ? clock : nil)
    var answer = VectorAnswer()
    answer.put(number: restart.clock)
    answer.put(number: Int64(restart.minimumPeriod))
    answer.put(flag: restart.isClockUncertain)
    return answer
  }

  static func answerMode(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let (clock, phase) = (try fields.number(), try fields.number())
    let slot = ModeSchedule.slot(clock: clock, phase: phase)
    var answer = VectorAnswer()
    switch slot.mode {
    case .iBeacon: answer.put(flag: true)
    case .frame: answer.put(flag: false)
    }
    answer.put(number: Int64(slot.region))
    answer.put(flag: slot.isConnectable)
    return answer
  }

  static func answerAddress(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    guard let address = TrackerAddress.randomStatic(try fields.array()) else { throw .rejected }
    let bytes = InlineArray<6, UInt8> {
      UInt8(truncatingIfNeeded: address.value >> UInt64(40 - 8 * $0))
    }
    var answer = VectorAnswer()
    answer.put(bytes.span)
    return answer
  }

  static func answerIBeaconEncode(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer
  {
    let (region, heid) = (try fields.halves(), try fields.halves())
    let frame = IBeaconFrame(
      region: .bit128(high: region.high, low: region.low),
      heidPrefix: HEID(high: heid.high, low: heid.low).prefix,
      measuredPower: Int8(clamping: try fields.number()))
    var answer = VectorAnswer()
    answer.put(frame.encoded.span)
    return answer
  }

  static func answerFrameEncode(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let company = UInt16(clamping: try fields.number())
    let (isConnectable, isOnboardable) = (try fields.flag(), try fields.flag())
    let isSeparated = try fields.flag()
    let counter = UInt8(truncatingIfNeeded: try fields.number())
    let (first, second, third) = (try fields.bytes(), try fields.bytes(), try fields.bytes())
    guard let eid = EID(first.span), let aotp = AOTP(second.span), let esf = ESF(third.span) else {
      throw .input
    }
    let frame = LunaFrame(
      companyIdentifier: company, isConnectable: isConnectable, isOnboardable: isOnboardable,
      isSeparated: isSeparated, keyRollingCounter: counter, eid: eid, aotp: aotp, esf: esf)
    var answer = VectorAnswer()
    answer.put(frame.encoded.span)
    return answer
  }
}
