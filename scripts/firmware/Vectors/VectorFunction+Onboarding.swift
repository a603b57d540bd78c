import LunaCrypto
import LunaProtocol

/// Onboarding (PROTOCOL.md, 14).
extension VectorFunction {
  static func answerCodeText(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let text = Array(try fields.code().revealed.utf8)
    var answer = VectorAnswer()
    answer.put(text.span)
    return answer
  }

  /// All messages of both sides, and what they derive.
  static func answerOnboarding(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let (trackerKey, appKey) = (try fields.secret(), try fields.secret())
    let trackerNonce: InlineArray<16, UInt8> = try fields.array()
    let appNonce: InlineArray<16, UInt8> = try fields.array()
    let capabilities = TrackerCapabilities(rawValue: UInt16(clamping: try fields.number()))
    let codeBytes = try fields.optionalBytes()
    let uuid = try fields.halves()
    let firmware = UInt16(clamping: try fields.number())
    let level = UInt8(truncatingIfNeeded: try fields.number())
    let time = UInt32(clamping: try fields.number())
    let none = [UInt8](repeating: 0, count: OnboardingCode.byteCount)
    let ownCode = codeBytes ?? none
    guard let code = OnboardingCode(SecretBytes(copying: ownCode.span)),
      let battery = BatteryLevel(rawValue: level)
    else { throw .input }
    let situation = TrackerOnboarding.Situation(
      state: .factory, isOpen: codeBytes == nil, code: code,
      uuid: DeviceUUID(high: uuid.high, low: uuid.low), firmware: firmware, battery: battery)
    let tracker = try crypto { () throws(CryptoError) in
      try TrackerOnboarding(
        state: .factory, capabilities: capabilities, privateKey: trackerKey, nonce: trackerNonce)
    }
    let app = try valid { () throws(OnboardingRejection) in
      try AppOnboarding(
        info: tracker.info.span, code: codeBytes == nil ? nil : code, privateKey: appKey,
        nonce: appNonce)
    }
    let reply = try crypto { () throws(CryptoError) in
      try tracker.answer(request: app.request.span, in: situation)
    }
    guard case .response(let response, let confirmation) = reply else { throw .input }
    let finish = try valid { () throws(OnboardingRejection) in
      try app.receive(response: response.span).finish(unixTime: time)
    }
    let conclusion = try crypto { () throws(CryptoError) in
      try confirmation.conclude(finish: finish.span)
    }
    guard case .done(let done, let masterKey, _) = conclusion else { throw .input }
    let shared = try crypto { () throws(CryptoError) in
      try X25519.sharedSecret(privateKey: appKey, peer: tracker.info.span.extracting(22...))
    }
    var answer = VectorAnswer()
    answer.put(tracker.info.span)
    answer.put(app.request.span)
    answer.put(response.span)
    answer.put(finish.span)
    answer.put(done.span)
    answer.put(app.keys.transcript.span)
    answer.put(secret: shared)
    answer.put(secret: app.keys.prk)
    answer.put(secret: masterKey.secret)
    answer.put(secret: app.keys.confirmTracker)
    answer.put(secret: app.keys.confirmApplication)
    answer.put(secret: app.keys.encryption)
    return answer
  }

  /// The tracker's side alone.
  static func answerOnboardingTracker(_ fields: inout VectorFields) throws(VectorFault)
    -> VectorAnswer
  {
    let privateKey = try fields.secret()
    let info: InlineArray<54, UInt8> = try fields.array()
    let number = UInt8(truncatingIfNeeded: try fields.number())
    let isOpen = try fields.flag()
    let code = try fields.code()
    let (request, finish) = (try fields.bytes(), try fields.bytes())
    guard let state = OnboardingState(rawValue: number) else { throw .input }
    let tracker = TrackerOnboarding(info: info, privateKey: privateKey)
    // The UUID, firmware and battery are in the response, which these cases do not look at.
    let situation = TrackerOnboarding.Situation(
      state: state, isOpen: isOpen, code: code, uuid: DeviceUUID(high: 0, low: 0), firmware: 0,
      battery: .unknown)
    let reply = try crypto { () throws(CryptoError) in
      try tracker.answer(request: request.span, in: situation)
    }
    let confirmation: TrackerConfirmation
    switch reply {
    case .failure(let status): return failure(status)
    case .response(_, let waiting): confirmation = waiting
    }
    let conclusion = try crypto { () throws(CryptoError) in
      try confirmation.conclude(finish: finish.span)
    }
    switch conclusion {
    case .failure(let status): return failure(status)
    case .done(let message, let masterKey, let clock):
      var answer = VectorAnswer()
      answer.put(number: 0)
      answer.put(message.span)
      answer.put(number: Int64(clock))
      answer.put(secret: masterKey.secret)
      return answer
    }
  }

  private static func failure(_ status: OnboardingStatus) -> VectorAnswer {
    var answer = VectorAnswer()
    answer.put(number: Int64(status.rawValue))
    answer.put(status.message.span)
    return answer
  }

  /// Runs what refuses the messages of the other side: those of these cases are good.
  private static func valid<Result>(
    _ body: () throws(OnboardingRejection) -> Result
  ) throws(VectorFault) -> Result {
    do throws(OnboardingRejection) { return try body() } catch { throw .input }
  }
}
