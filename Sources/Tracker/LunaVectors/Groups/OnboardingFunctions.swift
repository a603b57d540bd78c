import LunaCrypto
import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let onboardingFunctions: [String: Function] = [
    "onboarding": { (_, input) throws(VectorError) in try transcript(input) },
    "onboardingApp": { (_, input) throws(VectorError) in
      let (info, response, done) = (
        try input.bytes("info"), try input.bytes("response"), try input.bytes("done")
      )
      let code = input.isNull("code") ? nil : try input.code()
      let privateKey = try input.secret("appPrivate")
      let nonce = try input.bytes("appNonce", as: InlineArray<16, UInt8>.self)
      do throws(OnboardingRejection) {
        let app = try AppOnboarding(
          info: info.span, code: code, privateKey: privateKey, nonce: nonce)
        let offer = try app.receive(response: response.span)
        try offer.verify(done: done.span)
        return [
          "uuid": .text(offer.uuid.description.lowercased()), "firmware": .number(offer.firmware),
          "battery": .number(offer.battery.rawValue),
          "masterKey": .string(offer.masterKey.revealed),
        ]
      } catch {
        return .reject(error.reason)
      }
    },
    "onboardingTracker": { (_, input) throws(VectorError) in
      let tracker = TrackerOnboarding(
        info: try input.bytes("info"), privateKey: try input.secret("trackerPrivate"))
      guard let state = OnboardingState(rawValue: try input.integer("state")) else {
        throw .member("state")
      }
      // The UUID, firmware and battery are in the response, which these cases do not look at.
      let situation = TrackerOnboarding.Situation(
        state: state, isOpen: try input.bool("allowOpen"), code: try input.code(),
        uuid: DeviceUUID(high: 0, low: 0), firmware: 0, battery: .unknown)
      let request = try input.bytes("request")
      let answer = try crypto { () throws(CryptoError) in
        try tracker.answer(request: request.span, in: situation)
      }
      guard case .response(_, let confirmation) = answer else { return failure(answer) }
      let finish = try input.bytes("finish")
      let conclusion = try crypto { () throws(CryptoError) in
        try confirmation.conclude(finish: finish.span)
      }
      switch conclusion {
      case .failure(let status): return failure(.failure(status))
      case .done(let message, let masterKey, let clock):
        return [
          "status": .number(0), "done": .hex(message), "unixTime": .number(clock),
          "masterKey": .string(masterKey.revealed),
        ]
      }
    },
    "codeText": { (_, input) throws(VectorError) in
      ["text": .string(try input.code().revealed)]
    },
    "codeParse": { (_, input) throws(VectorError) in
      let text = try input.string("text")
      do throws(OnboardingCodeRejection) {
        return ["code": .hex(try OnboardingCode(text: text).secret)]
      } catch {
        return .reject(error.rawValue)
      }
    },
  ]

  private static func failure(_ answer: TrackerOnboarding.Answer) -> JSONValue {
    guard case .failure(let status) = answer else { return .null }
    return ["status": .number(status.rawValue), "done": .hex(status.message)]
  }

  /// All messages of both sides, and what they derive.
  private static func transcript(_ input: VectorInput) throws(VectorError) -> JSONValue {
    let (trackerKey, appKey) = (
      try input.secret("trackerPrivate"), try input.secret("appPrivate")
    )
    let trackerNonce = try input.bytes("trackerNonce", as: InlineArray<16, UInt8>.self)
    let appNonce = try input.bytes("appNonce", as: InlineArray<16, UInt8>.self)
    let code = input.isNull("code") ? nil : try input.code()
    let zero = InlineArray<16, UInt8>(repeating: 0)
    guard let labelCode = code ?? OnboardingCode(SecretBytes(copying: zero.span)) else {
      throw .member("code")
    }
    let capabilities = TrackerCapabilities(rawValue: try input.integer("caps"))
    guard let uuid = DeviceUUID(try input.string("uuid")) else { throw .member("uuid") }
    guard let battery = BatteryLevel(rawValue: try input.integer("battery")) else {
      throw .member("battery")
    }
    let situation = TrackerOnboarding.Situation(
      state: .factory, isOpen: code == nil, code: labelCode, uuid: uuid,
      firmware: try input.integer("firmware"), battery: battery)
    let unixTime: UInt32 = try input.integer("unixTime")
    let tracker = try crypto { () throws(CryptoError) in
      try TrackerOnboarding(
        state: .factory, capabilities: capabilities, privateKey: trackerKey, nonce: trackerNonce)
    }
    do throws(OnboardingRejection) {
      let app = try AppOnboarding(
        info: tracker.info.span, code: code, privateKey: appKey, nonce: appNonce)
      let answer = try orReject { () throws(CryptoError) in
        try tracker.answer(request: app.request.span, in: situation)
      }
      guard case .response(let response, let confirmation) = answer else { return failure(answer) }
      let finish = try app.receive(response: response.span).finish(unixTime: unixTime)
      let conclusion = try orReject { () throws(CryptoError) in
        try confirmation.conclude(finish: finish.span)
      }
      guard case .done(let done, let masterKey, _) = conclusion else { return .null }
      let secret = try orReject { () throws(CryptoError) in
        try X25519.sharedSecret(
          privateKey: appKey, peer: tracker.info.span.extracting(22...))
      }
      return [
        "info": .hex(tracker.info), "request": .hex(app.request), "response": .hex(response),
        "finish": .hex(finish), "done": .hex(done), "th": .hex(app.keys.transcript),
        "ss": .hex(secret), "prk": .hex(app.keys.prk),
        "masterKey": .string(masterKey.revealed), "kct": .hex(app.keys.confirmTracker),
        "kca": .hex(app.keys.confirmApplication), "ken": .hex(app.keys.encryption),
      ]
    } catch {
      return .reject(error.reason)
    }
  }

  private static func orReject<Result>(
    _ body: () throws(CryptoError) -> Result
  ) throws(OnboardingRejection) -> Result {
    do throws(CryptoError) { return try body() } catch { throw .crypto(error) }
  }
}
