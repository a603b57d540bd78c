import LunaCrypto

/// A tracker that proved that it knows the code, and waits for the finish (PROTOCOL.md, 14). Before
/// the finish is sent, ``uuid``, ``masterKey`` and the time go to disk: from then on the tracker may
/// have them.
public struct OnboardingOffer: Sendable {
  /// The tracker's new UUID.
  public let uuid: DeviceUUID
  /// The firmware; major version in the high byte, minor in the low one.
  public let firmware: UInt16
  /// How full the tracker says its battery is.
  public let battery: BatteryLevel

  let keys: OnboardingKeys

  /// The key that both sides have now.
  public var masterKey: MasterKey { keys.masterKey }

  /// The finish: message 4, 41 bytes.
  ///
  /// - Parameter unixTime: the time to give to the tracker, Unix s; the `onboardingTimestamp`.
  /// - Throws: `crypto` when libcrypto fails.
  public func finish(unixTime: UInt32) throws(OnboardingRejection) -> [UInt8] {
    var payload: [UInt8] = [0, 0, 0, 0, Period.exponent, 0, 0, 0]
    var span = payload.mutableSpan
    span.setBigEndian(UInt64(unixTime), at: 0, count: 4)
    do throws(CryptoError) {
      let confirmation = try keys.confirmation(keys.confirmApplication, [3])
      let sealed = try keys.seal(payload, number: 2)
      return [3] + confirmation.indices.map { confirmation[$0] } + sealed
    } catch {
      throw .crypto(error)
    }
  }

  /// Reads the last message, number 5: the tracker is onboarded when this does not throw.
  ///
  /// - Throws: `type`, `status`, `length` or `confirm`.
  public func verify(done bytes: Span<UInt8>) throws(OnboardingRejection) {
    guard bytes.count >= 2, bytes[0] == 4 else { throw .type }
    guard bytes[1] == 0 else { throw .status(bytes[1]) }
    guard bytes.count == 18 else { throw .length }
    let expected: InlineArray<16, UInt8>
    do throws(CryptoError) {
      expected = try keys.confirmation(keys.confirmTracker, [4, 0])
    } catch {
      throw .crypto(error)
    }
    guard constantTimeEqual(expected.span, bytes.extracting(2...)) else { throw .confirm }
  }
}
