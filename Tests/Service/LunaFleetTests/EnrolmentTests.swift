import Bluetooth
import LunaCore
import LunaCrypto
import LunaJSON
import Testing

@testable import LunaFleet

@Suite struct EnrolmentTests {
  private static let digest = [UInt8](repeating: 7, count: 32)

  private let offer: EnrolmentOffer
  private let print: GatewayPrint

  init() throws {
    let key = try SecureRandom.secret(count: 32)
    offer = try EnrolmentOffer(privateKey: key, tokenDigest: Self.digest)
    print = try GatewayPrint(publicKey: offer.publicKey)
  }

  private func answer(
    _ enrolment: Enrolment?, of offer: EnrolmentOffer? = nil, isRemoved: Bool = false,
    isRevoked: Bool = false, at time: Timestamp = Samples.now
  ) -> Result<Enrolment.Answer, FleetError> {
    Result { () throws(FleetError) in
      try Enrolment.judge(
        offer ?? self.offer, enrolment, isRemoved: isRemoved, isRevoked: isRevoked, at: time)
    }
  }

  private func refusal(_ result: Result<Enrolment.Answer, FleetError>) -> FleetError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  /// An offer of somebody who has the public key but not the private one.
  private func forged() throws -> EnrolmentOffer {
    guard case .object(var json) = offer.json else { throw FleetError(.gone, "no object") }
    json.append("tokenDigest", .string(String(repeating: "08", count: 32)))
    return try EnrolmentOffer(json: .object(json))
  }

  @Test func admitsOnceAndRepeats() throws {
    var enrolment = Enrolment(print: print, scannedAt: Samples.now)
    #expect(try answer(enrolment).get() == .admitted)
    enrolment.tokenDigest = Self.digest
    #expect(try answer(enrolment).get() == .repeated)
    enrolment.tokenDigest = [UInt8](repeating: 9, count: 32)
    #expect(refusal(answer(enrolment)) == .alreadyEnrolled)
  }

  @Test func refuses() throws {
    let enrolment = Enrolment(print: print, scannedAt: Samples.now)
    #expect(refusal(answer(nil)) == .notEnrolled)
    // Gateways wait as long as they are told so, and make another token where they are told so.
    #expect(FleetError.Code.notEnrolled.rawValue == EnrolmentOffer.unscanned)
    #expect(FleetError.Code.alreadyEnrolled.rawValue == EnrolmentOffer.superseded)
    #expect(refusal(answer(enrolment, isRemoved: true)) == .gatewayRemoved)
    #expect(refusal(answer(enrolment, isRevoked: true)) == .alreadyEnrolled)
    let late = Samples.now.advanced(by: .seconds(90 * 86_400 + 1))
    #expect(refusal(answer(enrolment, at: late)) == .notEnrolled)
    #expect(refusal(answer(enrolment, of: try forged())) == .signature)
    // Whoever was not scanned costs no signature.
    #expect(refusal(answer(nil, of: try forged())) == .notEnrolled)
  }
}
