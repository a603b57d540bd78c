import LunaCrypto

/// The functions of the protocol that a tracker computes, under the numbers that scripts/firmware/vectors knows them
/// by.
enum VectorFunction: UInt8 {
  case schedule = 0
  case rotation
  case boot
  case mode
  case address
  case iBeaconEncode
  case frameEncode
  case statusSeal
  case factoryHint
  case controlAccept
  case receiptBuild
  case onboarding
  case onboardingTracker
  case codeText
  case hkdf
  case hmac
  case aes
  case x25519

  /// The one that a line asks for.
  static func next(in fields: inout VectorFields) throws(VectorFault) -> VectorFunction {
    let number: InlineArray<1, UInt8> = try fields.array()
    guard let function = VectorFunction(rawValue: number[0]) else { throw .input }
    return function
  }

  /// The output for the input that follows.
  func answer(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    switch self {
    case .schedule: try VectorFunction.answerSchedule(&fields)
    case .rotation: try VectorFunction.answerRotation(&fields)
    case .boot: try VectorFunction.answerBoot(&fields)
    case .mode: try VectorFunction.answerMode(&fields)
    case .address: try VectorFunction.answerAddress(&fields)
    case .iBeaconEncode: try VectorFunction.answerIBeaconEncode(&fields)
    case .frameEncode: try VectorFunction.answerFrameEncode(&fields)
    case .statusSeal: try VectorFunction.answerStatusSeal(&fields)
    case .factoryHint: try VectorFunction.answerFactoryHint(&fields)
    case .controlAccept: try VectorFunction.answerControlAccept(&fields)
    case .receiptBuild: try VectorFunction.answerReceiptBuild(&fields)
    case .onboarding: try VectorFunction.answerOnboarding(&fields)
    case .onboardingTracker: try VectorFunction.answerOnboardingTracker(&fields)
    case .codeText: try VectorFunction.answerCodeText(&fields)
    case .hkdf: try VectorFunction.answerHkdf(&fields)
    case .hmac: try VectorFunction.answerHmac(&fields)
    case .aes: try VectorFunction.answerAes(&fields)
    case .x25519: try VectorFunction.answerX25519(&fields)
    }
  }

  /// Runs what may fail in the cryptography.
  static func crypto<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
  ) throws(VectorFault) -> Result {
    do throws(CryptoError) { return try body() } catch { throw .crypto }
  }
}
