public import LunaCrypto

/// Derives the keys and identifiers of trackers (PROTOCOL.md, 3). Keeps one HMAC context; one per
/// thread.
public struct KeySchedule: ~Copyable, Sendable {
  var hmac: HMACSHA256

  /// A schedule.
  ///
  /// - Throws: ``LunaCrypto/CryptoError`` when libcrypto does not offer HMAC-SHA256.
  public init() throws(CryptoError) {
    hmac = try HMACSHA256()
  }

  /// All branches of a master key.
  public mutating func keys(of masterKey: MasterKey) -> TrackerKeys {
    use(masterKey.secret)
    return TrackerKeys(
      identification: hmac.expandToSecret("luna/1/eid"),
      location: hmac.expandToSecret("luna/1/aotp"), control: hmac.expandToSecret("luna/1/botp"),
      owner: hmac.expandToSecret("luna/1/owner"))
  }

  /// EID_n.
  ///
  /// - Parameter identification: the branch Kid.
  public mutating func eid(_ identification: SecretBytes, period: UInt32) -> EID {
    use(identification)
    return EID(value: hmac.expand("eid-n", period).span.bigEndian(at: 0, count: EID.byteCount))
  }

  /// EID_n of many periods under one key, which is what makes tables of them affordable.
  ///
  /// - Parameters:
  ///   - identification: the branch Kid.
  ///   - periods: the periods, in whose order `body` is called.
  public mutating func eids(
    _ identification: SecretBytes, periods: PeriodRange, _ body: (UInt32, EID) -> Void
  ) {
    guard !periods.isEmpty else { return }
    use(identification)
    // "eid-n", the counter, and the block number of HKDF-Expand.
    var message: InlineArray<10, UInt8> = [0x65, 0x69, 0x64, 0x2D, 0x6E, 0, 0, 0, 0, 1]
    for period in periods.first...periods.last {
      message[5] = UInt8(truncatingIfNeeded: period >> 24)
      message[6] = UInt8(truncatingIfNeeded: period >> 16)
      message[7] = UInt8(truncatingIfNeeded: period >> 8)
      message[8] = UInt8(truncatingIfNeeded: period)
      let block = hmac.code(for: message.span)
      body(period, EID(value: block.span.bigEndian(at: 0, count: EID.byteCount)))
    }
  }

  /// AOTP_n.
  ///
  /// - Parameter location: the branch Kao.
  public mutating func aotp(_ location: SecretBytes, period: UInt32) -> AOTP {
    use(location)
    return AOTP(value: hmac.expand("aotp-n", period).span.bigEndian(at: 0, count: AOTP.byteCount))
  }

  /// BOTP_n, which is never sent.
  ///
  /// - Parameter control: the branch Kbo.
  public mutating func botp(_ control: SecretBytes, period: UInt32) -> SecretBytes {
    use(control)
    var block = hmac.expand("botp-n", period)
    defer { wipe(&block) }
    return SecretBytes(copying: block.span)
  }

  /// Kesf_n, under which the status of the period is hidden.
  public mutating func statusKey(botp: SecretBytes) -> SecretBytes {
    use(botp)
    return hmac.expandToSecret("esf")
  }

  /// Kctl_n, under which deferred packages for the period are authenticated.
  public mutating func deferredControlKey(botp: SecretBytes) -> SecretBytes {
    use(botp)
    return hmac.expandToSecret("ctl")
  }

  /// Kint, under which packages on a connection are authenticated.
  ///
  /// - Parameter owner: the branch Kow.
  public mutating func interactiveControlKey(_ owner: SecretBytes) -> SecretBytes {
    use(owner)
    return hmac.expandToSecret("ctl-int")
  }

  mutating func use(_ key: SecretBytes) {
    key.withBytes { hmac.setKey($0) }
  }
}
