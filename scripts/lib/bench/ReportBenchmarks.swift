import LunaCrypto
import LunaProtocol

/// Row 9: location reports, by the time of the processor, since other programs may run besides.
enum ReportBenchmarks {
  private static let count = 400_000

  /// Whole reports: seal has the nonce derived (an HMAC) and AES-256-GCM, open the comparison of the
  /// heid, GCM and the checks of every field. With a new key, the five derivations of a frame's keys
  /// come first.
  static func reports() throws {
    var generator = SeededGenerator(state: 9)
    let record = try LocationRecord(
      ReportedLocation(
        collectedAt: 1_700_000_123_000, latitude: 52.5, longitude: 13.4, altitude: 34,
        horizontalAccuracy: 8, speed: 1, course: 90, rssi: -60))
    var sealer = try ReportSealer()
    let random = InlineArray<16, UInt8> { UInt8($0) }
    let esf = ESF(value: 0x123456)
    let aotp = AOTP(value: 0x1234_5678)
    let (_, kept) = measure(runs: 5) {
      for number in 0..<count {
        var random = random
        random[0] = UInt8(truncatingIfNeeded: number)
        blackHole(
          sealer.seal(record, eid: EID(value: 1), aotp: aotp, esf: esf, random: random).heid.low)
      }
    }
    let sealed = sealer.seal(record, eid: EID(value: 1), aotp: aotp, esf: esf, random: random)
    let (_, opened) = try measure(runs: 5) {
      for _ in 0..<count {
        let record = try sealer.open(
          sealed.encodedLocation.span, heid: sealed.heid, esf: esf, eid: EID(value: 1), aotp: aotp)
        blackHole(UInt64(bitPattern: record.collectedAt))
      }
    }
    let fresh = (0..<64).map { _ in EID(value: generator.next()) }
    let sealedFresh = fresh.map {
      sealer.seal(record, eid: $0, aotp: aotp, esf: esf, random: random)
    }
    let (_, rekeyedSeal) = measure(runs: 5) {
      for number in 0..<count {
        blackHole(
          sealer.seal(record, eid: fresh[number & 63], aotp: aotp, esf: esf, random: random)
            .heid.low)
      }
    }
    let (_, rekeyedOpen) = try measure(runs: 5) {
      for number in 0..<count {
        let sealed = sealedFresh[number & 63]
        let record = try sealer.open(
          sealed.encodedLocation.span, heid: sealed.heid, esf: esf, eid: fresh[number & 63],
          aotp: aotp)
        blackHole(UInt64(bitPattern: record.collectedAt))
      }
    }
    Measurement(
      row: 9, name: "whole location reports", value: rate(kept + opened, 2), unit: "M/s",
      details: [
        ("seal_kept", rate(kept)), ("open_kept", rate(opened)), ("seal_new_key", rate(rekeyedSeal)),
        ("open_new_key", rate(rekeyedOpen)),
      ]
    ).report()
  }

  /// The cipher of a report alone, as the reference measures it: a new nonce each, or a new key each.
  static func cipher() throws {
    let plaintext = InlineArray<32, UInt8>(repeating: 7)
    let associated = InlineArray<33, UInt8>(repeating: 9)
    var key = InlineArray<32, UInt8>(repeating: 1)
    var nonce = InlineArray<12, UInt8>(repeating: 0)
    var sealed = InlineArray<48, UInt8>(repeating: 0)
    var opened = InlineArray<32, UInt8>(repeating: 0)
    var cipher = try AES256GCM(key: key.span)
    func seal(newKey: Bool) -> Double {
      measure(runs: 5) {
        for number in 0..<count {
          if newKey {
            key[0] = UInt8(truncatingIfNeeded: number)
            cipher.setKey(key)
          }
          nonce[0] = UInt8(truncatingIfNeeded: number)
          nonce[1] = UInt8(truncatingIfNeeded: number >> 8)
          var output = sealed.mutableSpan
          cipher.seal(
            plaintext.span, nonce: nonce, associatedData: associated.span, into: &output)
        }
        blackHole(UInt64(sealed[0]))
      }.processor
    }
    let kept = seal(newKey: false)
    func open(newKey: Bool) -> Double {
      measure(runs: 5) {
        for _ in 0..<count {
          if newKey { cipher.setKey(key) }
          var output = opened.mutableSpan
          let isAuthentic = cipher.open(
            sealed.span, nonce: nonce, associatedData: associated.span, into: &output)
          precondition(isAuthentic)
        }
        blackHole(UInt64(opened[0]))
      }.processor
    }
    let keptOpen = open(newKey: false)
    let rekeyed = seal(newKey: true)
    let rekeyedOpen = open(newKey: true)
    Measurement(
      row: 9, name: "AES-256-GCM of a location, key kept (must 2.2, aim 3.5)",
      value: rate(kept + keptOpen, 2), unit: "M/s",
      details: [("seal", rate(kept)), ("open", rate(keptOpen))]
    ).report()
    Measurement(
      row: 9, name: "AES-256-GCM of a location, new key each (must 1.3, aim 2.2)",
      value: rate(rekeyed + rekeyedOpen, 2), unit: "M/s",
      details: [("seal", rate(rekeyed)), ("open", rate(rekeyedOpen))]
    ).report()
  }

  private static func rate(_ seconds: Double, _ times: Int = 1) -> Double {
    Double(times * count) / seconds / 1e6
  }
}
