import LunaCrypto
import LunaProtocol
import Testing

struct EddystoneEIDDeriverTests {
  private func key(_ count: Int) -> SecretBytes {
    let bytes = (0..<count).map { UInt8($0) }
    return SecretBytes(copying: bytes.span)
  }

  @Test(arguments: [0, 1, 7, 10, 15] as [UInt8])
  func batchesAreWhatSingleDerivationsAre(exponent: UInt8) throws {
    var deriver = try EddystoneEIDDeriver()
    var batch: [(UInt32, EID)] = []
    // Over the end of a temporary key (2^16 s) in the middle of a run.
    let first = (UInt32(65_536 * 3) >> exponent) - 1
    try deriver.eids(
      key(16), rotations: PeriodRange(first: first, last: first + 140), exponent: exponent
    ) { batch.append(($0, $1)) }
    #expect(batch.map(\.0) == Array(first...first + 140))
    for (rotation, eid) in batch {
      let counter = rotation << exponent
      #expect(try deriver.eid(key(16), counter: counter, exponent: exponent) == eid)
      let end = counter + (1 << exponent) - 1
      #expect(try deriver.eid(key(16), counter: end, exponent: exponent) == eid)
    }
    #expect(Set(batch.map(\.1)).count == 141)
  }

  @Test func rotationsEndWithTheCounter() throws {
    var deriver = try EddystoneEIDDeriver()
    var last: UInt32?
    try deriver.eids(
      key(16), rotations: PeriodRange(first: (.max >> 10) - 2, last: .max), exponent: 10
    ) { rotation, _ in last = rotation }
    #expect(last == .max >> 10)
    try deriver.eids(
      key(16), rotations: PeriodRange(first: .max, last: .max), exponent: 0
    ) { rotation, _ in last = rotation }
    #expect(last == .max)
  }

  @Test func parametersAreChecked() throws {
    var deriver = try EddystoneEIDDeriver()
    #expect(throws: EddystoneEIDRejection.exponent) {
      try deriver.eid(key(16), counter: 0, exponent: 16)
    }
    for count in [0, 15, 17, 32] {
      #expect(throws: EddystoneEIDRejection.keyLength) {
        try deriver.eid(key(count), counter: 0, exponent: 10)
      }
    }
  }
}
